import type { ErrorObject } from 'ajv'

/** A person mends a few at a time; what a script sent is not told back in full. */
const MOST_FIELDS = 20
/** Longer than the path of any field of the contract; a name that was sent may have any length. */
const LONGEST_NAME = 200

/**
 * Words for the person by field, from what the schema found: `{ "uploadRequest.upload.size": "must
 * be >= 1" }`. The first 20 at most.
 */
export function fieldsOf(errors: readonly ErrorObject[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  for (const error of errors) {
    // "must match exactly one schema" only says that one of the errors beside it holds.
    if (
      (error.keyword === 'oneOf' || error.keyword === 'anyOf' || error.keyword === 'if') &&
      errors.length > 1
    )
      continue
    const name = shortened(fieldName(error))
    // As an own property: a field may be called `constructor`.
    if (!Object.hasOwn(fields, name)) fields[name] = sentence(error)
    if (Object.keys(fields).length >= MOST_FIELDS) break
  }
  return fields
}

function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1).toWellFormed()}…`
}

function fieldName(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .filter((part) => part !== '')
    .map(unescapePointer)
  const [root, ...rest] = path
  const parts = root !== undefined && ROOTS.has(root) ? rest : path
  const extra = missingOrExtra(error)
  return [...parts, ...(extra === null ? [] : [extra])].join('.') || 'body'
}

const ROOTS = new Set(['requestBody', 'path', 'query', 'header', 'cookie'])

function missingOrExtra(error: ErrorObject): string | null {
  const params: Record<string, unknown> = error.params
  if (error.keyword === 'required') {
    const name = String(params['missingProperty'])
    return name === 'requestBody' ? null : name
  }
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    return String(params['additionalProperty'] ?? params['unevaluatedProperty'])
  }
  return null
}

function sentence(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not known here'
    case 'enum':
      return `must be one of ${(error.params['allowedValues'] as unknown[]).map(String).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(error.params['allowedValue'])}`
    case 'minimum':
      return `must be at least ${String(error.params['limit'])}`
    case 'maximum':
      return `must be at most ${String(error.params['limit'])}`
    case 'minLength':
      return Number(error.params['limit']) === 1
        ? 'must not be empty'
        : `must have at least ${String(error.params['limit'])} characters`
    case 'maxLength':
      return `must have at most ${String(error.params['limit'])} characters`
    case 'minItems':
      return Number(error.params['limit']) === 1
        ? 'must not be empty'
        : `must have at least ${String(error.params['limit'])} entries`
    case 'maxItems':
      return `must have at most ${String(error.params['limit'])} entries`
    case 'type':
      return `must be ${words[String(error.params['type'])] ?? String(error.params['type'])}`
    case 'pattern':
      return 'does not have the right form'
    default:
      return error.message ?? 'is not valid'
  }
}

const words: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'empty',
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
