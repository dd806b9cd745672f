import type { ErrorObject } from 'ajv'
import type { Document, DocumentOperation } from './contract-document.ts'
import { responseOf } from './contract-document.ts'

/** Compares a value with a schema; what is wrong with it is in `errors` then. */
export interface Check {
  (value: unknown): unknown
  errors?: readonly ErrorObject[] | null
}

/** Where checks come from ([Note: cost of a check] in contract-compiler.ts). */
export interface Checks {
  /** Of the body of a request and of the rest of it, up to the first error or for all. */
  request(operation: DocumentOperation, which: 'first' | 'all'): readonly Check[]
  /** Null where the contract says nothing of what is in an answer. */
  answer(operation: DocumentOperation, status: string): Check | null
}

export type CheckKind = 'firstBody' | 'firstRest' | 'allBody' | 'allRest' | 'answer'

/** Checks that a build wrote: by operation, and an answer by its status too. */
export type WrittenChecks = Readonly<Record<CheckKind, Readonly<Record<string, Check | undefined>>>>

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
}

export function createContractChecks(
  document: Document,
  operations: readonly DocumentOperation[],
  checks: Checks,
): ContractChecks {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const operationOf = (id: string): DocumentOperation => {
    const operation = byId.get(id)
    if (operation === undefined) throw new Error(`The contract has no operation ${id}`)
    return operation
  }
  return {
    requestErrors: (id, input, which) =>
      checks.request(operationOf(id), which).flatMap((check) => errorsOf(check, input)),
    answerErrors(id, status, body) {
      const operation = operationOf(id)
      if (status === 204 && isEmpty(document, operation)) return body === null ? [] : [NOT_EMPTY]
      const check = checks.answer(operation, String(status))
      return check === null ? [] : errorsOf(check, body)
    },
  }
}

/** The checks that a build wrote. */
export function readChecks(written: WrittenChecks): Checks {
  return {
    request: ({ id }, which) =>
      [written[`${which}Body`][id], written[`${which}Rest`][id]].filter(
        (check) => check !== undefined,
      ),
    answer: ({ id }, status) => written.answer[`${id} ${status}`] ?? null,
  }
}

function isEmpty(document: Document, operation: DocumentOperation): boolean {
  const answer = responseOf(document, operation, '204')
  return answer !== null && answer.value.content === undefined
}

const NOT_EMPTY: ErrorObject = {
  instancePath: '',
  schemaPath: '#/type',
  keyword: 'type',
  params: { type: 'null' },
  message: 'must be null',
}

function errorsOf(check: Check, input: unknown): readonly ErrorObject[] {
  return check(input) === true ? [] : (check.errors ?? [])
}
