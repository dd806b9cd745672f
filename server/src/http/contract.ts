import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ErrorObject } from 'ajv'
import { parse } from 'yaml'
import { bodyLimitsOf, SMALL_BODY, type BodyLimits } from './body-limits.ts'
import {
  createContractChecks,
  readChecks,
  type Checks,
  type WrittenChecks,
} from './contract-checks.ts'
import {
  operationsIn,
  parametersOf,
  type Document,
  type DocumentOperation,
} from './contract-document.ts'
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

/** What a build writes beside a bundle: the text of `writeChecks`. */
export const CHECKS_FILE = 'contract-checks.cjs'

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
  const document = await readDocument()
  const found = operationsIn(document)
  const checks = createContractChecks(document, found, await openChecks(document))
  const operations = found.map((operation) => describeOperation(document, operation))
  return {
    operations,
    paths: createPathTable(API_ROOT, operations),
    checkRequest({ id }, { path, query, headers, body, bodyValues }) {
      const input: Record<string, unknown> = { path, query, header: headers }
      if (body !== undefined) input['requestBody'] = body
      const errors = checks.requestErrors(id, input, 'first')
      if (errors.length === 0) return { kind: 'fits', params: input['path'], query: input['query'] }
      const isSmall = bodyValues <= SMALL_BODY.values
      return { kind: 'unfit', errors: isSmall ? checks.requestErrors(id, input, 'all') : errors }
    },
    answerErrors: checks.answerErrors,
  }
}

/** A bundle has them beside itself, so that none is compiled while it answers calls. */
async function openChecks(document: Document): Promise<Checks> {
  const written = join(import.meta.dirname, CHECKS_FILE)
  if (existsSync(written))
    return readChecks(createRequire(import.meta.url)(written) as WrittenChecks)
  const { compileChecks } = await import('./contract-compiler.ts')
  return compileChecks(document)
}

/** A bundle has it beside itself as JSON: to read YAML takes 0.5 s of a processor at each start. */
async function readDocument(): Promise<Document> {
  const asJson = join(import.meta.dirname, 'contract.json')
  if (existsSync(asJson)) return JSON.parse(await readFile(asJson, 'utf8')) as Document
  return parse(await readFile(join(projectRoot, 'openapi/openapi.yaml'), 'utf8')) as Document
}

function describeOperation(document: Document, found: DocumentOperation): ContractOperation {
  const { id, method, path, operation, security } = found
  const parameters = parametersOf(document, found).map(({ value }) => value)
  return {
    id,
    method,
    path,
    needsSession:
      security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0),
    checksXsrf:
      method !== 'get' && security.some((requirement) => Object.keys(requirement).length > 0),
    declaresIdempotencyKey: parameters.some(
      ({ in: place, name }) => place === 'header' && name.toLowerCase() === 'idempotency-key',
    ),
    mediaTypes: Object.keys(operation.requestBody?.content ?? {}),
    bodyLimits: bodyLimitsOf(operation),
    queryNames: parameters.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])),
  }
}
