import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf, plainAddress } from '#server/addresses.ts'

/**
 * How long connections may keep the server waiting.
 *
 * [Note: slow connections] A connection costs a descriptor and some memory while it does nothing,
 * and thousands of them cost their sender nothing. So each one has to get on: the first request has
 * to come soon, and bodies have to keep up a rate (as Apache's mod_reqtimeout asks, read
 * 2026-11-22). When there are as many as the server keeps, the one that has waited longest without
 * a whole request goes: those of attackers are always the oldest, for a browser's request is here
 * in a moment. When each has a whole request, the oldest goes whose reader lags, of the network
 * that has most of these: downloads of sessions are never among them, but an account that leaves
 * more of them lying than a person does loses the oldest (`stuckOfAccount`). Whole requests are
 * answered however long that takes, and the body of a part whose address was signed has a rate of
 * its own (object-store/receive-body.ts).
 */
export interface ConnectionLimits {
  readonly atMost: number
  /** From opening a connection to the headers of its first request. */
  readonly firstRequestMs: number
  /** A body may begin as slowly as it likes for this long; afterwards the rate counts. */
  readonly freeMs: number
  readonly bytesPerSecond: number
  /** From the end of an answer to the end of a body that was not wanted. */
  readonly leftOverMs: number
  /** Time without any progress of an answer that its reader does not take. */
  readonly stuckMs: number
  /** The same for answers to a session. */
  readonly stuckOfSessionMs: number
  /** Answers of one account that may be without progress for longer than `stuckMs`. */
  readonly stuckOfAccount: number
  readonly checkEveryMs: number
}

/**
 * Twice what one process has ever use for: a browser opens six at most. A call is small, so that
 * 1 KiB a second after the first seconds is slower than any network on which the app works.
 */
export const CONNECTION_LIMITS: ConnectionLimits = {
  atMost: 2_000,
  firstRequestMs: 20_000,
  freeMs: 10_000,
  bytesPerSecond: 1024,
  leftOverMs: 5_000,
  // As nginx's `send_timeout`.
  stuckMs: 60_000,
  // Downloads: proxies take far ahead of their clients and then nothing for long, and a phone
  // without network takes nothing either.
  stuckOfSessionMs: 60 * 60_000,
  // More downloads than a person has paused; what else an account leaves lying is not waited for.
  stuckOfAccount: 12,
  checkEveryMs: 1_000,
}

/** What a connection is at, and since when; its request is the newest. */
type Stage =
  | { readonly kind: 'fresh'; readonly sinceMs: number }
  | { readonly kind: 'kept'; readonly sinceMs: number }
  | {
      readonly kind: 'asking'
      readonly sinceMs: number
      readonly incoming: IncomingMessage
      readonly response: ServerResponse
      /** Of the socket when the request began. */
      readonly bytesRead: number
      /** How much of the answer was taken, when that last grew, and when the answer ended. */
      taken: { readonly bytes: number; readonly sinceMs: number }
      answeredAtMs: number | null
    }

type Asking = Extract<Stage, { kind: 'asking' }>

const exempt = new WeakSet<IncomingMessage>()

/** Lets a body take its time: its sender holds a right of its own, and its reader a limit. */
export function exemptBody(incoming: IncomingMessage): void {
  exempt.add(incoming)
}

/** The account of each request that has a session. */
const accounts = new WeakMap<object, string>()

/** Lets the answer to a request wait long for its reader, whose account is known. */
export function allowPause(incoming: object, userId: string): void {
  accounts.set(incoming, userId)
}

/** Closes connections that keep the server waiting, until the server is closed. */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  nowMs: () => number = () => performance.now(),
): void {
  // In the order in which their stages began, so that the first is the oldest.
  const stages = new Map<Socket, Stage>()
  const enter = (socket: Socket, stage: Stage): void => {
    stages.delete(socket)
    stages.set(socket, stage)
  }
  server.on('connection', (socket: Socket) => {
    if (stages.size >= limits.atMost)
      (longestWaiting(stages) ?? slowestReader(stages) ?? socket).destroy()
    if (socket.destroyed) return
    enter(socket, { kind: 'fresh', sinceMs: nowMs() })
    socket.once('close', () => stages.delete(socket))
  })
  server.prependListener('request', (incoming: IncomingMessage, response: ServerResponse) => {
    const { socket } = incoming
    const sinceMs = nowMs()
    const stage: Asking = {
      kind: 'asking',
      sinceMs,
      incoming,
      response,
      bytesRead: socket.bytesRead,
      taken: { bytes: socket.bytesWritten, sinceMs },
      answeredAtMs: null,
    }
    enter(socket, stage)
    response.once('finish', () => {
      stage.answeredAtMs = nowMs()
      // A pipelined request may have begun since.
      if (stages.get(socket) === stage && incoming.complete)
        enter(socket, { kind: 'kept', sinceMs: nowMs() })
    })
  })
  const check = setInterval(() => {
    const now = nowMs()
    for (const [socket, stage] of stages)
      if (isTooSlow(socket, stage, limits, now)) socket.destroy()
    for (const socket of beyondAccount(stages, limits, now)) socket.destroy()
  }, limits.checkEveryMs)
  check.unref()
  server.once('close', () => clearInterval(check))
}

/** The oldest connection without a whole request; undefined when every one has one. */
function longestWaiting(stages: ReadonlyMap<Socket, Stage>): Socket | undefined {
  for (const [socket, stage] of stages)
    if (!socket.destroyed && (stage.kind !== 'asking' || isReceiving(stage))) return socket
  return undefined
}

/**
 * The oldest connection whose answer waits for its reader, of the network with most of these.
 * Undefined when all answers are still being made, or belong to sessions.
 */
function slowestReader(stages: ReadonlyMap<Socket, Stage>): Socket | undefined {
  const lagging = new Map<string, Socket[]>()
  for (const [socket, stage] of stages) {
    if (socket.destroyed || socket.writableLength === 0) continue
    if (stage.kind === 'asking' && accounts.has(stage.incoming)) continue
    const network = networkOf(plainAddress(socket.remoteAddress ?? ''))
    const others = lagging.get(network)
    if (others === undefined) lagging.set(network, [socket])
    else others.push(socket)
  }
  return [...lagging.values()].toSorted((a, b) => b.length - a.length)[0]?.[0]
}

/**
 * Of each account, the oldest connections whose answers wait for their readers, but for as many as
 * an account may have.
 */
function beyondAccount(
  stages: ReadonlyMap<Socket, Stage>,
  { stuckMs, stuckOfAccount }: ConnectionLimits,
  now: number,
): readonly Socket[] {
  const stuck = new Map<string, Socket[]>()
  for (const [socket, stage] of stages) {
    if (socket.destroyed || stage.kind !== 'asking') continue
    const account = accounts.get(stage.incoming)
    if (account === undefined || now - stage.taken.sinceMs <= stuckMs) continue
    if (socket.writableLength === 0) continue
    stuck.set(account, [...(stuck.get(account) ?? []), socket])
  }
  return [...stuck.values()].flatMap((sockets) =>
    sockets.slice(0, Math.max(0, sockets.length - stuckOfAccount)),
  )
}

function isReceiving({ incoming }: Asking): boolean {
  return !incoming.complete && !exempt.has(incoming)
}

function isTooSlow(socket: Socket, stage: Stage, limits: ConnectionLimits, now: number): boolean {
  const forMs = now - stage.sinceMs
  switch (stage.kind) {
    case 'fresh':
      return forMs > limits.firstRequestMs
    case 'kept':
      // Node's own limits hold: `keepAliveTimeout` and `headersTimeout`.
      return false
    case 'asking':
      if (stage.answeredAtMs !== null && !stage.incoming.complete)
        return now - stage.answeredAtMs > limits.leftOverMs
      if (isReceiving(stage)) {
        const dueBytes = ((forMs - limits.freeMs) / 1000) * limits.bytesPerSecond
        return socket.bytesRead - stage.bytesRead < dueBytes
      }
      return isStuck(socket, stage, limits, now)
  }
}

/** Whether an answer waits in this process for a reader that has taken nothing of it for long. */
function isStuck(socket: Socket, stage: Asking, limits: ConnectionLimits, now: number): boolean {
  // Node counts what waits in the process as written.
  const bytes = socket.bytesWritten - socket.writableLength
  if (socket.writableLength === 0 || bytes > stage.taken.bytes)
    stage.taken = { bytes, sinceMs: now }
  const atMostMs = accounts.has(stage.incoming) ? limits.stuckOfSessionMs : limits.stuckMs
  return now - stage.taken.sinceMs > atMostMs
}
