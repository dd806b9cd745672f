import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import {
  parametersOf,
  pointerTo,
  responseOf,
  type Document,
  type DocumentOperation,
} from './contract-document.ts'

/**
 * [Note: cost of a check] Ajv compiles a schema into code before its first use, on the event loop.
 * Each check is compiled when a call first needs it, and names its schemas where they stand in the
 * document, which Ajv has as a whole: what many operations have in common is compiled once. With
 * the schemas written out, as openapi-backend does it, the first order after a start took 0.7 s of
 * a busy machine, and each status of an operation was compiled with its first answer. What no call
 * has needed yet is compiled some seconds after the start (`compile-ahead.ts`), so that no call of
 * a stranger holds the event loop for it.
 */

/** The checks of all operations against the document. */
export interface ContractChecks {
  /** Fills in defaults, and makes numbers of what stands in path, query and headers. */
  requestErrors(
    operationId: string,
    input: Record<string, unknown>,
    which: 'first' | 'all',
  ): readonly ErrorObject[]
  /** The first thing that is wrong with an answer; empty where the contract says nothing of it. */
  answerErrors(operationId: string, status: number, body: unknown): readonly ErrorObject[]
  /** Each compiles one check, unless a call was quicker: together all that there are. */
  readonly compileSteps: readonly (() => void)[]
}

/** The name under which Ajv has the document. */
const DOCUMENT = 'contract'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

export function createContractChecks(
  document: Document,
  operations: readonly DocumentOperation[],
): ContractChecks {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const operationOf = (id: string): DocumentOperation => {
    const operation = byId.get(id)
    if (operation === undefined) throw new Error(`The contract has no operation ${id}`)
    return operation
  }
  const requests = {
    first: createRequestChecks(document, { allErrors: false }),
    all: createRequestChecks(document, { allErrors: true }),
  }
  const answers = once(() => createAjv(document, { useDefaults: false }))
  const isNull = once(() => answers().compile({ type: 'null' }))
  const answerCheck = (operation: DocumentOperation, status: string): ValidateFunction | null => {
    const answer = responseOf(document, operation, status)
    if (answer === null) return null
    const { content } = answer.value
    if (content === undefined) return status === '204' ? isNull() : null
    if (content[JSON_TYPE]?.schema === undefined) return null
    const place = `${answer.pointer}${pointerTo('content', JSON_TYPE, 'schema').slice(1)}`
    return validatorAt(answers(), place)
  }
  return {
    requestErrors: (id, input, which) =>
      requests[which](operationOf(id)).flatMap((validate) => errorsOf(validate, input)),
    answerErrors(id, status, body) {
      const validate = answerCheck(operationOf(id), String(status))
      return validate === null ? [] : errorsOf(validate, body)
    },
    compileSteps: operations.flatMap((operation) => [
      () => void requests.first(operation),
      () => void requests.all(operation),
      ...Object.keys(operation.operation.responses).map(
        (status) => () => void answerCheck(operation, status),
      ),
    ]),
  }
}

/** Makes the checks of a request's body and of the rest of it, each when it is first used. */
function createRequestChecks(
  document: Document,
  { allErrors }: { readonly allErrors: boolean },
): (operation: DocumentOperation) => readonly ValidateFunction[] {
  const bodies = once(() => createAjv(document, { allErrors, useDefaults: true }))
  const others = once(() =>
    createAjv(document, { allErrors, useDefaults: true, coerceTypes: true }),
  )
  // Of the same parameters, as no parameters, the check is the same.
  const checkOfOthers = kept((schema: string) => others().compile(JSON.parse(schema) as object))
  return kept((operation: DocumentOperation) => {
    const body = bodySchemaOf(operation)
    const rest = checkOfOthers(JSON.stringify(parameterSchemaOf(document, operation)))
    return body === null ? [rest] : [bodies().compile(body), rest]
  })
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

function refTo(pointer: string): { readonly $ref: string } {
  return { $ref: `${DOCUMENT}${pointer}` }
}

function validatorAt(ajv: Ajv, pointer: string): ValidateFunction {
  const validate = ajv.getSchema(`${DOCUMENT}${pointer}`)
  if (validate === undefined) throw new Error(`The contract has no schema at ${pointer}`)
  return validate
}

function errorsOf(validate: ValidateFunction, input: unknown): readonly ErrorObject[] {
  return validate(input) ? [] : (validate.errors ?? [])
}

interface AjvKind {
  readonly allErrors?: boolean
  readonly coerceTypes?: boolean
  readonly useDefaults: boolean
}

function createAjv(document: Document, kind: AjvKind): Ajv {
  const ajv = new Ajv2020({
    ...kind,
    strict: false,
    // The document is linted elsewhere.
    validateSchema: false,
    discriminator: true,
  })
  addFormats.default(ajv as unknown as Ajv)
  ajv.addFormat('binary', true)
  ajv.addSchema(document, DOCUMENT)
  return ajv as unknown as Ajv
}

function once<T>(make: () => T): () => T {
  const makeOnce = kept<null, T>(make)
  return () => makeOnce(null)
}

/** The same function, which is called once for each input. */
function kept<I, T>(make: (input: I) => T): (input: I) => T {
  const made = new Map<I, { readonly value: T }>()
  return (input) => {
    const known = made.get(input) ?? { value: make(input) }
    made.set(input, known)
    return known.value
  }
}
