import type { UploadFailureCode, UploadRow, UploadState } from './rows.ts'

export type UploadKind = UploadState['kind']

/**
 * What every part of the app may ask about a state of an upload. A new state is one row of this
 * table; code that sorts states asks a predicate below it instead of listing kinds.
 */
interface StateFacts {
  /**
   * What the engine does for an upload in this state. `send` is `prepare` while a waiting upload
   * has no plan yet; `idle` waits for the person or for nothing; `browser` is left to the sending
   * of the browser itself; `over` can be cleaned up.
   */
  readonly stage: 'prepare' | 'send' | 'verify' | 'discard' | 'idle' | 'browser' | 'over'
  /** Only the person can take it further. */
  readonly asks: boolean
  /** Bytes are on their way right now, or about to be. */
  readonly sends: boolean
  /** `read`: the engine still reads the file; `held`: this device may have it; `none`: neither. */
  readonly bytes: 'read' | 'held' | 'none'
  /** The whole file has arrived at the server. */
  readonly isReceived: boolean
  /** How it ended; null while it goes on or can be resumed. */
  readonly end: 'good' | 'bad' | 'discarded' | null
}

const IDLE = { stage: 'idle', sends: false, isReceived: false } as const
const BROWSER = { ...IDLE, stage: 'browser', asks: false, bytes: 'held', end: null } as const
const SEND = { stage: 'send', asks: false, isReceived: false, end: null } as const

const STATES = {
  draft: { ...IDLE, asks: false, bytes: 'none', end: null },
  preparing: { ...SEND, stage: 'prepare', sends: true, bytes: 'read' },
  queued: { ...SEND, sends: false, bytes: 'read' },
  uploading: { ...SEND, sends: true, bytes: 'read' },
  waiting: { ...SEND, sends: false, bytes: 'read' },
  'needs-auth': { ...IDLE, asks: true, bytes: 'held', end: null },
  'needs-permission': { ...IDLE, asks: true, bytes: 'held', end: null },
  'needs-file': { ...IDLE, asks: true, bytes: 'none', end: null },
  conflict: { ...IDLE, asks: true, bytes: 'none', end: null },
  paused: { ...IDLE, asks: false, bytes: 'held', end: null },
  'handing-over': { ...BROWSER, sends: true },
  'handed-over': BROWSER,
  finalising: { ...SEND, sends: true, bytes: 'held' },
  verifying: { ...SEND, stage: 'verify', sends: false, bytes: 'held', isReceived: true },
  done: { ...IDLE, stage: 'over', asks: false, bytes: 'none', isReceived: true, end: 'good' },
  expired: { ...IDLE, asks: false, bytes: 'none', end: 'bad' },
  failed: { ...IDLE, asks: false, bytes: 'none', end: 'bad' },
  discarding: { ...IDLE, stage: 'discard', asks: false, bytes: 'none', end: 'discarded' },
  discarded: { ...IDLE, stage: 'over', asks: false, bytes: 'none', end: 'discarded' },
} satisfies Readonly<Record<UploadKind, StateFacts>>

/** Every kind of state, in the order of an upload's life. */
export const UPLOAD_KINDS = Object.keys(STATES) as readonly UploadKind[]

const factsOf = (kind: UploadKind): StateFacts => STATES[kind]

/** What the engine does for an upload in this state. */
export const stageOfKind = (kind: UploadKind): StateFacts['stage'] => factsOf(kind).stage

/** True while the engine works on it without the person. */
export function isActive(kind: UploadKind): boolean {
  const { stage } = factsOf(kind)
  return stage === 'prepare' || stage === 'send' || stage === 'verify'
}

/** True while it is on its way: active, and not waiting for the network or the server. */
export const isRunning = (kind: UploadKind): boolean => isActive(kind) && kind !== 'waiting'

/** True where only the person can take it further. */
export const asksPerson = (kind: UploadKind): boolean => factsOf(kind).asks

/** True while bytes are on their way, or about to be: a reload would send some of them again. */
export const isSending = (kind: UploadKind): boolean => factsOf(kind).sends

/** True while the browser sends the rest, or is about to: the engine lets it. */
export const isHandedOver = (kind: UploadKind): boolean => factsOf(kind).stage === 'browser'

/** True where the browser can send the rest: the server has planned parts and some are missing. */
export function mayHandOver({ state, plan }: Pick<UploadRow, 'state' | 'plan'>): boolean {
  return stageOfKind(state.kind) === 'send' && readsFile(state.kind) && plan !== null
}

/** True while the engine still has to read the file. */
export const readsFile = (kind: UploadKind): boolean => factsOf(kind).bytes === 'read'

/** True where this device may still have the bytes of an upload that was begun. */
export const mayHoldBytes = (kind: UploadKind): boolean => factsOf(kind).bytes !== 'none'

/** True once the whole file has arrived, also while the server still checks it. */
export const isReceived = (kind: UploadKind): boolean => factsOf(kind).isReceived

/** True where nothing leaves the state any more; the row may be cleaned up. */
export const isFinal = (kind: UploadKind): boolean => factsOf(kind).stage === 'over'

/** True while there is still something to send or to decide; also for one that failed. */
export function isUnfinished(kind: UploadKind): boolean {
  const { end } = factsOf(kind)
  return end === null || end === 'bad'
}

/** True where it ended without the video: it failed, or the server no longer has it. */
export const isBroken = (kind: UploadKind): boolean => factsOf(kind).end === 'bad'

/** True where giving the upload up would lose something: it has neither ended nor arrived. */
export function isLostByLogout(kind: UploadKind): boolean {
  const { end, isReceived: hasArrived } = factsOf(kind)
  return end === null && !hasArrived
}

/** True where the server has nothing of it that it could be asked to delete. */
export const isGoneAtServer = (kind: UploadKind): boolean => isFinal(kind) || kind === 'expired'

/** True where its video is at the server, or will be without another choice of the file's owner. */
export function isOnServer(kind: UploadKind): boolean {
  const { end } = factsOf(kind)
  return end === 'good' || (end === null && kind !== 'draft' && kind !== 'conflict')
}

/**
 * True for failures that versions before this one took for final: the server may have the upload
 * open, with all that was sent.
 */
export function isWeather(code: UploadFailureCode): boolean {
  return (
    code === 'upload/no-space' || code === 'upload/server-misconfigured' || code === 'upload/cors'
  )
}

/** True for failures that are the server's judgement on what it has: it takes no more parts. */
export function isJudged(code: UploadFailureCode): boolean {
  return code === 'upload/invalid-file' || code === 'upload/mismatch'
}

/** True where the upload goes on once the person chooses its file. */
export function asksForFile(kind: UploadKind): boolean {
  return kind === 'needs-file' || kind === 'needs-permission' || kind === 'conflict'
}
