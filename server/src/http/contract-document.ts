/** What the server reads of the contract's document. It is linted before, so the types hold. */
export interface Document {
  readonly security?: readonly Requirement[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, Response>>
  }
}

type Requirement = Readonly<Record<string, readonly string[]>>
interface Reference {
  readonly $ref: string
}
type Content = Readonly<Record<string, { readonly schema?: unknown }>>
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema: { readonly default?: unknown }
}
interface Response {
  readonly content?: Content
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly security?: readonly Requirement[]
}
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head'] as const
type PathItem = Readonly<Partial<Record<(typeof METHODS)[number], Operation>>> & {
  readonly parameters?: readonly (Parameter | Reference)[]
}

/** An operation, and where it stands in the document. */
export interface DocumentOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly item: PathItem
  readonly operation: Operation
  readonly security: readonly Requirement[]
}

/** Something in the document, and the JSON pointer to it: `#/components/responses/NotFound`. */
interface Found<T> {
  readonly pointer: string
  readonly value: T
}

/** All operations, in the order of the document. */
export function operationsIn(document: Document): readonly DocumentOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      const security = operation?.security ?? document.security ?? []
      return operation === undefined
        ? []
        : [{ id: operation.operationId, method, path, item, operation, security }]
    }),
  )
}

/** The parameters of an operation with those of its path. */
export function parametersOf(
  document: Document,
  { method, path, item, operation }: DocumentOperation,
): readonly Found<Parameter>[] {
  const found = (
    list: readonly (Parameter | Reference)[] | undefined,
    ...of: readonly string[]
  ): readonly Found<Parameter>[] =>
    (list ?? []).map((given, at) =>
      behind(document, given, pointerTo('paths', path, ...of, 'parameters', String(at))),
    )
  return [...found(operation.parameters, method), ...found(item.parameters)]
}

/** What an operation answers with a status; null where the contract does not say. */
export function responseOf(
  document: Document,
  { method, path, operation }: DocumentOperation,
  status: string,
): Found<Response> | null {
  const given = operation.responses[status]
  return given === undefined
    ? null
    : behind(document, given, pointerTo('paths', path, method, 'responses', status))
}

/** A JSON pointer as a reference has it (RFC 6901 §6). */
export function pointerTo(...names: readonly string[]): string {
  return `#/${names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
}

/** What a reference names, or the thing itself, which stands at `pointer`. */
function behind<T extends object>(
  document: Document,
  given: T | Reference,
  pointer: string,
): Found<T> {
  if (!('$ref' in given)) return { pointer, value: given }
  const value = given.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], document)
  return { pointer: given.$ref, value: value as T }
}
