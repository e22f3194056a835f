import type { Rule } from '../rule.ts';
import { addedMediaTypeRules, bodyRules, mediaTypeRules, removedMediaTypeRules } from './bodies.ts';
import { deprecationRules, removalRules, stabilityRules } from './lifecycle.ts';
import { limitRules } from './limits.ts';
import { additionRules, operationRules } from './operations.ts';
import { addedParameterRules, parameterRules, removedParameterRules } from './parameters.ts';
import { referenceRules } from './references.ts';
import {
  addedHeaderRules,
  addedResponseRules,
  headerRules,
  removedHeaderRules,
  removedResponseRules,
  responseRules,
} from './responses.ts';
import { annotationRules } from './schema/annotations.ts';
import { boundRules } from './schema/bounds.ts';
import { objectRules } from './schema/objects.ts';
import { typeRules } from './schema/types.ts';
import { unionRules } from './schema/unions.ts';
import { valueRules } from './schema/values.ts';
import { securityRules } from './security.ts';
import { serverRules } from './servers.ts';

/** What two schemas in one place are judged by. */
export const schemaRules = [
  ...typeRules,
  ...valueRules,
  ...boundRules,
  ...objectRules,
  ...unionRules,
  ...annotationRules,
];

/** Every rule there is, by subject, for whoever wants to read, count or print them. */
export const catalogue: Readonly<Record<string, readonly Omit<Rule<never>, 'find'>[]>> = {
  operations: [...operationRules, ...additionRules],
  lifecycle: [...removalRules, ...deprecationRules, ...stabilityRules],
  security: securityRules,
  servers: serverRules,
  limits: limitRules,
  parameters: [...parameterRules, ...removedParameterRules, ...addedParameterRules],
  bodies: [...bodyRules, ...mediaTypeRules, ...removedMediaTypeRules, ...addedMediaTypeRules],
  responses: [...responseRules, ...removedResponseRules, ...addedResponseRules],
  headers: [...headerRules, ...removedHeaderRules, ...addedHeaderRules],
  types: typeRules,
  values: valueRules,
  bounds: boundRules,
  objects: objectRules,
  unions: unionRules,
  annotations: annotationRules,
  references: referenceRules,
};
