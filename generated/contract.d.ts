// Printed from openapi.yaml (eb8eb1c8b29a79c0) by npm run generate. Not for editing.

/** A schema of which only that is left which leads to an int64. */
export interface ExactSchema {
  readonly format?: 'int64';
  readonly $ref?: string;
  readonly items?: ExactSchema;
  readonly additionalProperties?: ExactSchema;
  readonly unevaluatedItems?: ExactSchema;
  readonly unevaluatedProperties?: ExactSchema;
  readonly if?: ExactSchema;
  readonly then?: ExactSchema;
  readonly else?: ExactSchema;
  readonly allOf?: readonly ExactSchema[];
  readonly anyOf?: readonly ExactSchema[];
  readonly oneOf?: readonly ExactSchema[];
  readonly prefixItems?: readonly ExactSchema[];
  readonly properties?: Readonly<Record<string, ExactSchema>>;
  readonly patternProperties?: Readonly<Record<string, ExactSchema>>;
  readonly dependentSchemas?: Readonly<Record<string, ExactSchema>>;
}

export interface OperationContract {
  readonly method: string;
  readonly path: string;
  /** Whether it answers a list page by page. */
  readonly paged: boolean;
  /** By documented status, where int64 stands in the body; null where nowhere. */
  readonly replies: Readonly<Record<number, ExactSchema | null>>;
}

export declare const contract: {
  /** SHA-256 of the document, the first 16 hexadecimal digits. */
  readonly hash: string;
  readonly basePath: string;
  readonly operations: {
    /**
     * List all animals
     *
     * Returns a page of animals, ordered by `id`, oldest first. While there is more, the `Link` header with `rel="next"` holds the address of the next page; follow it until it is absent. A walk meets each animal once that was there when it began.
     */
    readonly listPets: OperationContract & { readonly paged: true };
    /**
     * Add an animal
     *
     * Adds a new animal and answers with it as it was stored, its new `id` included. The answer is sent after the animal is safely stored. Sent twice, a request adds two animals.
     */
    readonly createPet: OperationContract & { readonly paged: false };
    /**
     * Get an animal
     *
     * Returns one animal by its identifier. Deprecated, and removed on 5 December 2030: use `GET /pets` with the `status` filter instead. From that day on it answers 410.
     *
     * @deprecated Removed on 2030-12-05; use listPets.
     */
    readonly getPet: OperationContract & { readonly paged: false };
  };
  /** By `$ref`. */
  readonly schemas: Readonly<Record<string, ExactSchema>>;
};
