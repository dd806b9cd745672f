import type { ServerResponse } from 'node:http'
import { problemToWire } from './problem-answer.ts'
import { PLAIN_HEADERS } from './security-headers.ts'
import { unavailable } from '#server/problems.ts'

/** Where a balancer asks whether it may send calls here. Outside of the contract, for everyone. */
export const READINESS_PATH = '/editors/ready'

/** Where a process manager asks whether this process still turns. For everyone, and always 200. */
export const LIVENESS_PATH = '/livez'

const RAW_HEADERS = {
  ...PLAIN_HEADERS,
  'content-type': 'application/json',
  'cache-control': 'no-store',
} as const

/** Who asked within this time still watches; most balancers ask every 2 to 10 s. */
const WATCHED_WITHIN_MS = 30_000
/** Balancers take a server out after two or three answers that are not 200. */
const ANSWERS_TO_NOTICE = 3
const LONGEST_NOTICE_MS = 30_000

/**
 * Whether this process takes calls. It says nothing of the database, which all processes share:
 * while that is away, a balancer without any server only answers with worse words.
 */
export interface Readiness {
  /**
   * Answers 200 `{ ready: true, migration }`, or 503 and a coded error with `Retry-After`.
   */
  answer(response: ServerResponse): void
  /** The server answers calls now, with a database that has this migration. */
  serve(migration?: string): void
  /**
   * Answers 503 from now on. Resolves when the balancer that watches has been told often enough to
   * send calls elsewhere: at once when none has asked within the last 30 s, and in any case after
   * 30 s or when `hurry` aborts.
   */
  stop(hurry: AbortSignal): Promise<void>
  isStopping(): boolean
}

type Phase =
  | { readonly kind: 'starting' }
  | { readonly kind: 'serving'; readonly migration: string | undefined }
  | { readonly kind: 'stopping'; readonly told: () => void }

export function createReadiness(nowMs: () => number = () => performance.now()): Readiness {
  let phase: Phase = { kind: 'starting' }
  let askedAtMs = -Infinity
  return {
    answer(response) {
      askedAtMs = nowMs()
      if (phase.kind === 'serving') {
        const { migration } = phase
        const body = JSON.stringify({ ready: true, migration })
        return void response.writeHead(200, RAW_HEADERS).end(body)
      }
      refuse(response)
      if (phase.kind === 'stopping') phase.told()
    },
    serve(migration) {
      phase = { kind: 'serving', migration }
    },
    async stop(hurry) {
      const { promise, resolve } = Promise.withResolvers<void>()
      let left = ANSWERS_TO_NOTICE
      phase = { kind: 'stopping', told: () => (left -= 1) === 0 && resolve() }
      if (hurry.aborted || nowMs() - askedAtMs > WATCHED_WITHIN_MS) return
      AbortSignal.any([hurry, AbortSignal.timeout(LONGEST_NOTICE_MS)]).addEventListener(
        'abort',
        () => resolve(),
      )
      await promise
    },
    isStopping: () => phase.kind === 'stopping',
  }
}

/** Says that the event loop turns: nothing else has to work for this answer. */
export function answerAlive(response: ServerResponse): void {
  response.writeHead(200, RAW_HEADERS).end('{"alive":true}')
}

/** Says in a coded answer that the server does not take calls yet, or no longer. */
export function refuse(response: ServerResponse): void {
  const { status, body, headers } = problemToWire(unavailable())
  response.writeHead(status, { ...RAW_HEADERS, ...headers }).end(JSON.stringify(body))
}
