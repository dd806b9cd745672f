import { isUnavailable, Problem } from '#server/problems.ts'

/** Class 08 of PostgreSQL's errors, those of a database that ends or starts, and the socket's. */
const LOST = /^(08...|57P0[123]|ECONN\w+|EPIPE|ETIMEDOUT)$/
/** What pg says without a code of queries whose connection ends, or has ended. */
const ENDED = /^(Connection terminated|Client has encountered a connection error)/

/** Whether a query or transaction failed because there was no connection, or it broke meanwhile. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof Problem) return isUnavailable(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return LOST.test(code) || ENDED.test(error.message) || isLostConnection(error.cause)
}
