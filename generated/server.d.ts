// Printed from openapi.yaml (eb8eb1c8b29a79c0) by npm run generate. Not for editing.

export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all animals
         * @description Returns a page of animals, ordered by `id`, oldest first. While there is more, the `Link` header with `rel="next"` holds the address of the next page; follow it until it is absent. A walk meets each animal once that was there when it began.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add an animal
         * @description Adds a new animal and answers with it as it was stored, its new `id` included. The answer is sent after the animal is safely stored. Sent twice, a request adds two animals.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an animal
         * @deprecated
         * @description Returns one animal by its identifier. Deprecated, and removed on 5 December 2030: use `GET /pets` with the `status` filter instead. From that day on it answers 410.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Whether the animal can be adopted.
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /** @description An animal to add. */
        NewPet: {
            /** @description The animal's name. */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the animal belongs to.
             */
            categoryId: bigint;
            /**
             * @description Whether the animal can be adopted. Left out, it is `available`.
             * @default available
             */
            status: components["schemas"]["PetStatus"];
        };
        /** @description An animal of the store. */
        Pet: {
            /**
             * Format: int64
             * @description Unique identifier, assigned on creation.
             */
            id: bigint;
            /** @description The animal's name. */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the animal belongs to.
             */
            categoryId: bigint;
            status: components["schemas"]["PetStatus"];
        };
        /** @description A page of animals, ordered by `id`. */
        Pets: components["schemas"]["Pet"][];
        /** @description What every error looks like. */
        Error: {
            /** @description Machine-readable error code. New codes may be added; treat an unknown one by its `status`. */
            code: string;
            /** @description Human-readable description. */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status code.
             */
            status: number;
        };
    };
    responses: {
        /** @description A body, a parameter or a cursor breaks this contract. `message` names every failing place. Nothing was stored. */
        InvalidRequest: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No API key, or one that is not valid (unknown, malformed, revoked or expired). */
        Unauthorized: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                /**
                 * @description How to authenticate (RFC 6750, section 3).
                 * @example Bearer realm="animal-store", error="invalid_token"
                 */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request did not come to its end in time. The connection closes. */
        RequestTimeout: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                /** @description The connection closes after this response. */
                Connection: "close";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        PayloadTooLarge: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not `application/json` in UTF-8, has no `Content-Type`, or has a `Content-Encoding`. */
        UnsupportedMediaType: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A quota of the plan is used up, or the API key is banned for a while because it went on sending after 429s. */
        TooManyRequests: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                /** @description Seconds to wait before the next request. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request's headers are larger than 16 KiB. The connection closes. */
        HeadersTooLarge: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                /** @description The connection closes after this response. */
                Connection: "close";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something went wrong on our side. `X-Request-Id` finds it in our log. */
        InternalError: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service cannot reach its database, or is overloaded. Retry after `Retry-After` seconds. */
        ServiceUnavailable: {
            headers: {
                /** @description The quota of the window with the fewest requests left. */
                "X-RateLimit-Limit": number;
                /** @description How many requests are left in that window. */
                "X-RateLimit-Remaining": number;
                /** @description When that window resets, in Unix seconds. */
                "X-RateLimit-Reset": number;
                /**
                 * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                 * @example "minute";q=60;w=60, "day";q=1000;w=86400
                 */
                "RateLimit-Policy": string;
                /**
                 * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                 * @example "minute";r=59;t=43, "day";r=999;t=52183
                 */
                RateLimit: string;
                /** @description Identifies this request in the service's log. */
                "X-Request-Id": string;
                /** @description Seconds to wait before the next request. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The quota of the window with the fewest requests left. */
        RateLimitLimit: number;
        /** @description How many requests are left in that window. */
        RateLimitRemaining: number;
        /** @description When that window resets, in Unix seconds. */
        RateLimitReset: number;
        /**
         * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
         * @example "minute";q=60;w=60, "day";q=1000;w=86400
         */
        RateLimitPolicy: string;
        /**
         * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
         * @example "minute";r=59;t=43, "day";r=999;t=52183
         */
        RateLimit: string;
        /** @description Identifies this request in the service's log. */
        RequestId: string;
        /** @description Seconds to wait before the next request. */
        RetryAfter: number;
        /**
         * @description How to authenticate (RFC 6750, section 3).
         * @example Bearer realm="animal-store", error="invalid_token"
         */
        Challenge: string;
        /**
         * @description The new animal's path, as long as `getPet` is not removed.
         * @example /v1/pets/1
         */
        Location: string;
        /**
         * @description The next page, with `rel="next"` (RFC 8288). Absent on the last page.
         * @example </v1/pets?limit=20&cursor=AAAAAAAAABQ6mj9y>; rel="next"
         */
        NextLink: string;
        /**
         * @description What to use instead, with `rel="successor-version"` (RFC 5829).
         * @example </v1/pets>; rel="successor-version"
         */
        SuccessorLink: string;
        /**
         * @description Since when the operation is deprecated (RFC 9745), `@` and Unix seconds.
         * @example @1795132800
         */
        Deprecation: string;
        /**
         * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
         * @example Thu, 05 Dec 2030 00:00:00 GMT
         */
        Sunset: string;
        /** @description The connection closes after this response. */
        ConnectionClose: "close";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPets: {
        parameters: {
            query: {
                /**
                 * @description Maximum number of animals returned (page size).
                 * @example 20
                 */
                limit: number;
                /**
                 * @description Only animals with this availability status.
                 * @example available
                 */
                status?: components["schemas"]["PetStatus"];
                /** @description Where the page begins. Opaque: take it from the `Link` header of the page before. It does not expire, and may be used with another `limit` or `status`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of animals, perhaps empty. */
            200: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /**
                     * @description The next page, with `rel="next"` (RFC 8288). Absent on the last page.
                     * @example </v1/pets?limit=20&cursor=AAAAAAAAABQ6mj9y>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pets"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The animal to add, at most 64 KiB of JSON. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The animal, as it was stored. */
            201: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /**
                     * @description The new animal's path, as long as `getPet` is not removed.
                     * @example /v1/pets/1
                     */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the animal to retrieve.
                 * @example 1
                 */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The animal. */
            200: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /**
                     * @description Since when the operation is deprecated (RFC 9745), `@` and Unix seconds.
                     * @example @1795132800
                     */
                    Deprecation: string;
                    /**
                     * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset: string;
                    /**
                     * @description What to use instead, with `rel="successor-version"` (RFC 5829).
                     * @example </v1/pets>; rel="successor-version"
                     */
                    Link: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description A body, a parameter or a cursor breaks this contract. `message` names every failing place. Nothing was stored. */
            400: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /**
                     * @description Since when the operation is deprecated (RFC 9745), `@` and Unix seconds.
                     * @example @1795132800
                     */
                    Deprecation: string;
                    /**
                     * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset: string;
                    /**
                     * @description What to use instead, with `rel="successor-version"` (RFC 5829).
                     * @example </v1/pets>; rel="successor-version"
                     */
                    Link: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No API key, or one that is not valid (unknown, malformed, revoked or expired). */
            401: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /**
                     * @description How to authenticate (RFC 6750, section 3).
                     * @example Bearer realm="animal-store", error="invalid_token"
                     */
                    "WWW-Authenticate": string;
                    /**
                     * @description Since when the operation is deprecated (RFC 9745), `@` and Unix seconds.
                     * @example @1795132800
                     */
                    Deprecation: string;
                    /**
                     * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset: string;
                    /**
                     * @description What to use instead, with `rel="successor-version"` (RFC 5829).
                     * @example </v1/pets>; rel="successor-version"
                     */
                    Link: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no animal with this identifier. */
            404: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /**
                     * @description Since when the operation is deprecated (RFC 9745), `@` and Unix seconds.
                     * @example @1795132800
                     */
                    Deprecation: string;
                    /**
                     * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset: string;
                    /**
                     * @description What to use instead, with `rel="successor-version"` (RFC 5829).
                     * @example </v1/pets>; rel="successor-version"
                     */
                    Link: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The operation was removed on its sunset date. `Link` names what to use instead. */
            410: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /**
                     * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset: string;
                    /**
                     * @description What to use instead, with `rel="successor-version"` (RFC 5829).
                     * @example </v1/pets>; rel="successor-version"
                     */
                    Link: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A quota of the plan is used up, or the API key is banned for a while because it went on sending after 429s. */
            429: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next request. */
                    "Retry-After": number;
                    /**
                     * @description Since when the operation is deprecated (RFC 9745), `@` and Unix seconds.
                     * @example @1795132800
                     */
                    Deprecation: string;
                    /**
                     * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset: string;
                    /**
                     * @description What to use instead, with `rel="successor-version"` (RFC 5829).
                     * @example </v1/pets>; rel="successor-version"
                     */
                    Link: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            /** @description Something went wrong on our side. `X-Request-Id` finds it in our log. */
            500: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /**
                     * @description Since when the operation is deprecated (RFC 9745), `@` and Unix seconds.
                     * @example @1795132800
                     */
                    Deprecation: string;
                    /**
                     * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset: string;
                    /**
                     * @description What to use instead, with `rel="successor-version"` (RFC 5829).
                     * @example </v1/pets>; rel="successor-version"
                     */
                    Link: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service cannot reach its database, or is overloaded. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The quota of the window with the fewest requests left. */
                    "X-RateLimit-Limit": number;
                    /** @description How many requests are left in that window. */
                    "X-RateLimit-Remaining": number;
                    /** @description When that window resets, in Unix seconds. */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The quotas of both windows (draft-ietf-httpapi-ratelimit-headers), `q` requests in `w` seconds.
                     * @example "minute";q=60;w=60, "day";q=1000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description What is left in both windows (draft-ietf-httpapi-ratelimit-headers), `r` requests for `t` seconds.
                     * @example "minute";r=59;t=43, "day";r=999;t=52183
                     */
                    RateLimit: string;
                    /** @description Identifies this request in the service's log. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next request. */
                    "Retry-After": number;
                    /**
                     * @description Since when the operation is deprecated (RFC 9745), `@` and Unix seconds.
                     * @example @1795132800
                     */
                    Deprecation: string;
                    /**
                     * @description From when on the operation answers 410 (RFC 8594), an HTTP date.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset: string;
                    /**
                     * @description What to use instead, with `rel="successor-version"` (RFC 5829).
                     * @example </v1/pets>; rel="successor-version"
                     */
                    Link: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
