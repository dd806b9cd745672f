import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { OpenAPIBackend, OpenAPIValidator, type Document } from 'openapi-backend'
import { parse } from 'yaml'
import { bodyLimitsOf, SMALL_BODY, type BodyLimits } from './body-limits.ts'
import { createPathTable, type PathTable } from './path-table.ts'
import { projectRoot } from '#server/project-root.ts'

/** Where every operation of the contract lives. */
export const API_ROOT = '/editors/api'

/** An operation as the frame needs it. */
export interface ContractOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly needsSession: boolean
  /**
   * With a session, a write must also carry its XSRF value. Form posts of our own pages cannot, so
   * they do not declare it.
   */
  readonly checksXsrf: boolean
  readonly declaresIdempotencyKey: boolean
  readonly mediaTypes: readonly string[]
  readonly bodyLimits: BodyLimits
  readonly queryNames: readonly string[]
}

/** What a call gives to be compared with the contract. */
interface GivenRequest {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  readonly headers: Readonly<Record<string, string>>
  /** Undefined without a body. */
  readonly body: unknown
  /** How many values the body has at most. */
  readonly bodyValues: number
}

/** A request that fits, with numbers and defaults of the contract; or what is wrong with it. */
type CheckedRequest =
  | { readonly kind: 'fits'; readonly params: unknown; readonly query: unknown }
  | { readonly kind: 'unfit'; readonly errors: readonly ErrorObject[] }

/** The loaded contract: routing and validation by the document. */
export interface Contract {
  readonly operations: readonly ContractOperation[]
  readonly paths: PathTable<ContractOperation>
  /** Fills defaults into the body that is given. */
  checkRequest(operation: ContractOperation, given: GivenRequest): CheckedRequest
  /** The first thing in an answer that the contract does not say; empty for one that fits. */
  answerErrors(operationId: string, status: number, body: unknown): readonly ErrorObject[]
}

/** Never changes while the process runs. */
let loaded: Promise<Contract> | null = null

/**
 * Loads `openapi/openapi.yaml`, once for all servers of this process. The document itself is linted
 * elsewhere, so it is not checked again at each start.
 */
export function loadContract(): Promise<Contract> {
  return (loaded ??= load())
}

/**
 * [Note: cost of a refusal] A validator that lists every error makes one for each unknown key, and
 * its list is many times as large as what was sent. So a request is first checked up to its first
 * error, which costs no more than a request that fits. All errors are looked for only in a body as
 * small as a person fills in; who sends a larger one learns one error at a time.
 */
async function load(): Promise<Contract> {
  const definition = await readDocument()
  const common = { ajvOpts: { discriminator: true }, coerceTypes: true }
  const backend = new OpenAPIBackend({
    ...common,
    definition,
    apiRoot: API_ROOT,
    // Its own document check knows only 3.0 and rejects `const` and type arrays.
    quick: true,
    strict: false,
    customizeAjv: ajvsOf({ allErrors: false }),
  })
  await backend.init()
  const thorough = new OpenAPIValidator({
    ...common,
    definition: backend.definition,
    router: backend.router,
    // Each when it is first used, as those of the backend.
    lazyCompileValidators: true,
    customizeAjv: ajvsOf({ allErrors: true }),
  })
  const operations = backend.getOperations().map(describeOperation)
  return {
    operations,
    paths: createPathTable(API_ROOT, operations),
    checkRequest(operation, { path, query, headers, body, bodyValues }) {
      const input: Record<string, unknown> = { path, query, header: headers }
      if (body !== undefined) input['requestBody'] = body
      const errors = errorsOf(requestValidators(backend.validator, operation), input)
      if (errors.length === 0) return { kind: 'fits', params: input['path'], query: input['query'] }
      const isSmall = bodyValues <= SMALL_BODY.values
      if (!isSmall) return { kind: 'unfit', errors }
      return { kind: 'unfit', errors: errorsOf(requestValidators(thorough, operation), input) }
    },
    answerErrors(operationId, status, body) {
      const of = backend.validator.getStatusBasedResponseValidatorForOperation(operationId)
      const validate = of?.[String(status)]
      return validate === undefined ? [] : errorsOf([validate], body)
    },
  }
}

/** A bundle has it beside itself as JSON: to read YAML takes 0.5 s of a processor at each start. */
async function readDocument(): Promise<Document> {
  const asJson = join(import.meta.dirname, 'contract.json')
  if (existsSync(asJson)) return JSON.parse(await readFile(asJson, 'utf8')) as Document
  return parse(await readFile(join(projectRoot, 'openapi/openapi.yaml'), 'utf8')) as Document
}

function requestValidators(
  validator: OpenAPIValidator,
  { id }: ContractOperation,
): readonly ValidateFunction[] {
  return validator.getRequestValidatorsForOperation(id) ?? []
}

type CustomizeAjv = NonNullable<ConstructorParameters<typeof OpenAPIBackend>[0]['customizeAjv']>

/** One validator for each place of a call and each way of reading types. */
function ajvsOf({ allErrors }: { readonly allErrors: boolean }): CustomizeAjv {
  const ajvs = new Map<string, Ajv>()
  return (_ajv, options, where) => {
    const key = `${String(where)}:${String(options.coerceTypes ?? false)}`
    const isForResponses = String(where).startsWith('response')
    const coerceTypes = options.coerceTypes === true
    const ajv = ajvs.get(key) ?? createAjv({ isForResponses, coerceTypes, allErrors })
    ajvs.set(key, ajv)
    return ajv
  }
}

function errorsOf(validators: readonly ValidateFunction[], input: unknown): readonly ErrorObject[] {
  return validators.flatMap((validate) => (validate(input) ? [] : (validate.errors ?? [])))
}

interface AjvKind {
  readonly isForResponses: boolean
  readonly coerceTypes: boolean
  readonly allErrors: boolean
}

function createAjv({ isForResponses, coerceTypes, allErrors }: AjvKind): Ajv {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    discriminator: true,
    coerceTypes,
    useDefaults: !isForResponses,
  })
  addFormats.default(ajv as unknown as Ajv)
  ajv.addFormat('binary', true)
  return ajv as unknown as Ajv
}

type BackendOperation = ReturnType<OpenAPIBackend['getOperations']>[number]

function describeOperation(operation: BackendOperation): ContractOperation {
  const security = operation.security ?? []
  const parameters = operation.parameters ?? []
  const body = operation.requestBody
  return {
    id: operation.operationId ?? `${operation.method} ${operation.path}`,
    method: operation.method,
    path: operation.path,
    needsSession:
      security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0),
    checksXsrf:
      operation.method !== 'get' &&
      security.some((requirement) => Object.keys(requirement).length > 0),
    declaresIdempotencyKey: parameters.some(
      (parameter) =>
        'name' in parameter &&
        parameter.in === 'header' &&
        parameter.name.toLowerCase() === 'idempotency-key',
    ),
    mediaTypes: body !== undefined && 'content' in body ? Object.keys(body.content) : [],
    bodyLimits: bodyLimitsOf(operation),
    queryNames: parameters.flatMap((parameter) =>
      'in' in parameter && parameter.in === 'query' ? [parameter.name] : [],
    ),
  }
}
