import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Ajv } from 'ajv'
import { OpenAPIBackend, type Document } from 'openapi-backend'
import { parse } from 'yaml'
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
}

/** The loaded contract: routing and validation by the document. */
export interface Contract {
  readonly backend: OpenAPIBackend
  readonly operations: readonly ContractOperation[]
}

/** Never changes while the process runs; reading and compiling it takes 0.3 s of a processor. */
let loaded: Promise<Contract> | null = null

/**
 * Loads `openapi/openapi.yaml`, once for all servers of this process. The document itself is linted
 * elsewhere, so it is not checked again at each start.
 */
export function loadContract(): Promise<Contract> {
  return (loaded ??= load())
}

async function load(): Promise<Contract> {
  const definition = parse(
    await readFile(join(projectRoot, 'openapi/openapi.yaml'), 'utf8'),
  ) as Document
  const ajvs = new Map<string, Ajv>()
  const backend = new OpenAPIBackend({
    definition,
    apiRoot: API_ROOT,
    // Its own document check knows only 3.0 and rejects `const` and type arrays.
    quick: true,
    strict: false,
    coerceTypes: true,
    ajvOpts: { discriminator: true },
    customizeAjv: (_ajv, options, where) => {
      const key = `${String(where)}:${String(options.coerceTypes ?? false)}`
      const ajv =
        ajvs.get(key) ??
        createAjv(String(where).startsWith('response'), options.coerceTypes === true)
      ajvs.set(key, ajv)
      return ajv
    },
  })
  await backend.init()
  return { backend, operations: backend.getOperations().map(describeOperation) }
}

function createAjv(isForResponses: boolean, coerceTypes: boolean): Ajv {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
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
  }
}
