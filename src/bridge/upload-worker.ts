import type { Remote } from 'comlink'
import { linkWorker, type WorkerLink } from './worker-link.ts'
import type { PageLocal } from '#src/local/compose.ts'
import type { CommandResult, HeldFile, UploadWorkerApi } from '#src/local/uploads/api.ts'
import { err } from '#src/lib/result.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** A worker that does not open within this time is ended; the next call starts another one. */
const OPEN_LIMIT_MS = 20 * SECOND_MS
/** A worker that does not stop within this time is ended. */
const STOP_LIMIT_MS = 5 * SECOND_MS

/** The upload worker of a page, for the account that is open: started when it is needed. */
export interface UploadWorker {
  /** Starts it if it is not running. Resolves when it is open or has failed to open. */
  open(): Promise<void>
  /** Starts it if needed. Never rejects: without a worker, `upload/worker-unavailable`. */
  call(command: (remote: Remote<UploadWorkerApi>) => Promise<CommandResult>): Promise<CommandResult>
  /** Does nothing if it is not running. */
  hint(which: 'signedIn' | 'networkBack'): Promise<void>
  isRunning(): boolean
  /** Whether it runs for another account than this one. */
  isOfAnother(userId: string | null): boolean
  stop(): Promise<void>
}

export interface UploadWorkerInput {
  readonly local: Pick<PageLocal, 'account' | 'clock' | 'log'>
  readonly start: () => Worker
  readonly isInstalled: () => boolean
  /** Files that the page has in memory. */
  readonly heldFiles: () => readonly HeldFile[]
  /** Called when it ended without being stopped. */
  readonly onDeath: () => void
}

interface Running {
  readonly userId: string
  readonly link: WorkerLink<UploadWorkerApi>
  readonly opened: Promise<boolean>
  readonly died: Promise<void>
}

/** No worker runs yet. */
export function createUploadWorker(input: UploadWorkerInput): UploadWorker {
  const { local } = input
  let running: Running | null = null

  const start = (account: UploadAccount): Running => {
    const started = startFor(account, input, () => {
      if (running === started) running = null
      local.log.error('the upload worker ended by itself')
      input.onDeath()
    })
    void started.opened.then((isOpen) => {
      if (isOpen) return
      started.link.terminate()
      if (running === started) running = null
    })
    return started
  }
  const reach = async (): Promise<Running | null> => {
    const account = local.account()
    if (account === null) return null
    if (running !== null && running.userId !== account.userId) await stop()
    running ??= start(account)
    const reached = running
    return (await reached.opened) ? reached : null
  }
  const stop = async (): Promise<void> => {
    const stopping = running
    running = null
    if (stopping === null) return
    await Promise.race([
      stopping.link.remote.stop().catch(() => undefined),
      stopping.died,
      local.clock.sleep(STOP_LIMIT_MS),
    ])
    stopping.link.terminate()
  }

  return {
    open: async () => void (await reach()),
    call: async (command) => {
      const unavailable: CommandResult = err({ code: 'upload/worker-unavailable' })
      const reached = await reach()
      if (reached === null) return unavailable
      return Promise.race([
        command(reached.link.remote).catch(() => unavailable),
        reached.died.then(() => unavailable),
      ])
    },
    hint: async (which) => {
      if (running !== null && (await running.opened))
        await running?.link.remote[which]().catch(() => undefined)
    },
    isRunning: () => running !== null,
    isOfAnother: (userId) => running !== null && running.userId !== userId,
    stop,
  }
}

type UploadAccount = NonNullable<ReturnType<UploadWorkerInput['local']['account']>>

function startFor(
  { userId, db: { keys } }: UploadAccount,
  { local, start, isInstalled, heldFiles }: UploadWorkerInput,
  onDeath: () => void,
): Running {
  const death = Promise.withResolvers<void>()
  const link = linkWorker<UploadWorkerApi>(start(), () => {
    death.resolve()
    onDeath()
  })
  const opening = link.remote.open({ userId, isInstalled: isInstalled(), keys }, heldFiles()).then(
    (opened) => opened.ok,
    () => false,
  )
  const opened = Promise.race([
    opening,
    death.promise.then(() => false),
    local.clock.sleep(OPEN_LIMIT_MS).then(() => false),
  ])
  return { userId, link, opened, died: death.promise }
}
