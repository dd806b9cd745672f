import type { OperationId } from '#server/http/handlers.ts'
import type { TestClient } from '#tests/setup/client.ts'
import type { SignedUp, TestServer } from '#tests/setup/server.ts'

/** What a case may use: the server and the person who asks. */
export interface World {
  readonly server: TestServer
  readonly me: SignedUp
  /** Another fresh account, e.g. for a call that signs out. */
  newPerson(): Promise<SignedUp>
}

/** One call of an operation; `params` fill the path. */
export interface CaseCall {
  readonly status: number
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Who asks, when it is not `me`. */
  readonly client?: TestClient
}

/**
 * How one operation is checked by tests/contract/operations.test.ts. An operation without a case
 * must answer 501.
 */
export interface OperationCase {
  /**
   * Prepares what the call needs, as `world.me`'s own, and says how to call and what status to
   * expect.
   */
  readonly valid: (world: World) => Promise<CaseCall>
  /**
   * True when the valid call names something of its owner: the same call by another user must be
   * 404. Default: it has path parameters.
   */
  readonly isOwned?: boolean
  /** Bodies that must be refused, with the field that must be named. */
  readonly invalid?: readonly {
    readonly body: unknown
    readonly field: string
    readonly status?: 400 | 422
  }[]
}

export type OperationCases = { readonly [Id in OperationId]?: OperationCase }
