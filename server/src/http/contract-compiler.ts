import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import type { Ajv } from 'ajv'
import type { Check, CheckKind, Checks } from './contract-checks.ts'
import {
  parametersOf,
  pointerTo,
  responseOf,
  type Document,
  type DocumentOperation,
} from './contract-document.ts'

/**
 * [Note: cost of a check] Ajv makes code of a schema, 60 ms of a processor for the largest and a
 * second for all of them. So a build writes that code into a file, which the server only reads: no
 * call waits for a compiler, and none is part of the server. What runs from its sources compiles
 * each check when a call first needs it. Either way schemas are named where they stand in the
 * document, which Ajv has as a whole: what many operations have in common is compiled once.
 */

/** The name under which Ajv has the document. */
const DOCUMENT = 'contract'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Which of its two shapes the import has differs with who resolves it. */
const { default: standaloneCode } = standalone as unknown as {
  readonly default: (ajv: Ajv, names: Readonly<Record<string, string>>) => string
}

/** The checks of all operations, each compiled when it is first asked for. */
export function compileChecks(document: Document): Checks {
  const kinds = kindsOf(document)
  const found = new Map<string, Check>()
  // Of the same parameters, as no parameters, the check is the same.
  const once = (kind: CheckKind, schema: object): Check => {
    const name = `${kind} ${JSON.stringify(schema)}`
    const check = found.get(name) ?? kinds[kind]().compile(schema)
    found.set(name, check)
    return check
  }
  return {
    request: (operation, which) => {
      const body = bodySchemaOf(operation)
      const rest = once(`${which}Rest`, parameterSchemaOf(document, operation))
      return body === null ? [rest] : [once(`${which}Body`, body), rest]
    },
    answer: (operation, status) => {
      const place = answerPlaceOf(document, operation, status)
      return place === null ? null : once('answer', { $ref: `${DOCUMENT}${place}` })
    },
  }
}

/**
 * The same as the text of a CommonJS module, which needs a few small files of Ajv's packages;
 * `readChecks` makes checks of what it exports.
 */
export function writeChecks(document: Document, operations: readonly DocumentOperation[]): string {
  const asked: Readonly<Record<CheckKind, Map<string, object>>> = {
    firstBody: new Map(),
    firstRest: new Map(),
    allBody: new Map(),
    allRest: new Map(),
    answer: new Map(),
  }
  for (const operation of operations) {
    const body = bodySchemaOf(operation)
    for (const which of ['first', 'all'] as const) {
      if (body !== null) asked[`${which}Body`].set(operation.id, body)
      asked[`${which}Rest`].set(operation.id, parameterSchemaOf(document, operation))
    }
    for (const status of Object.keys(operation.operation.responses)) {
      const place = answerPlaceOf(document, operation, status)
      if (place !== null)
        asked.answer.set(`${operation.id} ${status}`, { $ref: `${DOCUMENT}${place}` })
    }
  }
  const kinds = kindsOf(document, { source: true })
  const modules = (Object.keys(asked) as CheckKind[]).map((kind) => {
    const code = codeOf(kinds[kind](), asked[kind])
    // Each has names of its own.
    return `((exports) => {\n${code}\n})(exports.${kind} = {});`
  })
  return `${modules.join('\n')}\n`
}

function codeOf(ajv: Ajv, schemas: ReadonlyMap<string, object>): string {
  const names = new Map<string, string>()
  const exported: Record<string, string> = {}
  for (const [name, schema] of schemas) {
    const text = JSON.stringify(schema)
    const id = names.get(text) ?? `schema${names.size}`
    if (!names.has(text)) ajv.addSchema(schema, id)
    names.set(text, id)
    exported[name] = id
  }
  return standaloneCode(ajv, exported)
}

function bodySchemaOf({ method, path, operation }: DocumentOperation): object | null {
  const { requestBody } = operation
  if (requestBody === undefined) return null
  const mediaType = [JSON_TYPE, FORM_TYPE].find(
    (type) => requestBody.content[type]?.schema !== undefined,
  )
  if (mediaType === undefined) return null
  const place = pointerTo('paths', path, method, 'requestBody', 'content', mediaType, 'schema')
  return {
    type: 'object',
    properties: { requestBody: refTo(place) },
    required: requestBody.required === true ? ['requestBody'] : [],
  }
}

/** Of path and query nothing else may be given. */
function parameterSchemaOf(document: Document, operation: DocumentOperation): object {
  const parameters = parametersOf(document, operation)
  const place = (name: string, additionalProperties: boolean): object => {
    const here = parameters.filter(({ value }) => value.in === name)
    const nameOf = ({ value }: (typeof here)[number]): string =>
      name === 'header' ? value.name.toLowerCase() : value.name
    return {
      type: 'object',
      additionalProperties,
      properties: Object.fromEntries(
        here.map((each) => [
          nameOf(each),
          // Ajv fills in what stands beside the reference, not what is behind it.
          { ...refTo(`${each.pointer}/schema`), default: each.value.schema.default },
        ]),
      ),
      required: here.filter(({ value }) => value.required === true).map(nameOf),
    }
  }
  return {
    type: 'object',
    properties: {
      path: place('path', false),
      query: place('query', false),
      header: place('header', true),
    },
  }
}

/** Where the schema of an answer of JSON stands; null where the contract has none. */
function answerPlaceOf(
  document: Document,
  operation: DocumentOperation,
  status: string,
): string | null {
  const answer = responseOf(document, operation, status)
  if (answer?.value.content?.[JSON_TYPE]?.schema === undefined) return null
  return `${answer.pointer}${pointerTo('content', JSON_TYPE, 'schema').slice(1)}`
}

function refTo(pointer: string): { readonly $ref: string } {
  return { $ref: `${DOCUMENT}${pointer}` }
}

/** One Ajv for each kind of check, made when it is first asked for. */
function kindsOf(
  document: Document,
  { source = false } = {},
): Readonly<Record<CheckKind, () => Ajv>> {
  const kind = (options: AjvKind): (() => Ajv) => {
    let made: Ajv | null = null
    return () => (made ??= createAjv(document, options, source))
  }
  const rest = { useDefaults: true, coerceTypes: true }
  return {
    firstBody: kind({ allErrors: false, useDefaults: true }),
    firstRest: kind({ allErrors: false, ...rest }),
    allBody: kind({ allErrors: true, useDefaults: true }),
    allRest: kind({ allErrors: true, ...rest }),
    answer: kind({ useDefaults: false }),
  }
}

interface AjvKind {
  readonly allErrors?: boolean
  readonly coerceTypes?: boolean
  readonly useDefaults: boolean
}

function createAjv(document: Document, kind: AjvKind, source: boolean): Ajv {
  const ajv = new Ajv2020({
    ...kind,
    strict: false,
    // The document is linted elsewhere.
    validateSchema: false,
    discriminator: true,
    code: { source },
  })
  addFormats.default(ajv as unknown as Ajv)
  ajv.addFormat('binary', true)
  ajv.addSchema(document, DOCUMENT)
  return ajv as unknown as Ajv
}
