import { createMadeBytes } from './made-bytes.ts'
import {
  makeUnderLock,
  removeAll,
  settleUnderLock,
  type MakeRefusal,
  type MakerDeps,
  type MakeWish,
  type Making,
  type Shelf,
} from './making.ts'
import type { Unwritten } from './piece-keeper.ts'
import type { MadeFileRow } from '#src/local/db/rows.ts'
import { err, type Result } from '#src/lib/result.ts'
import { createSettable, type Subscribable } from '#src/lib/subscribable.ts'

/**
 * Makes device edits, one at a time of all tabs (lock `make:<userId>`), and keeps what becomes of
 * them: a row in `madeFiles`, bytes in the browser's file system. Goes on while the page stands.
 */
export interface Maker extends Subscribable<Making | null> {
  /** Resolves with the id of the device edit once its making has begun. */
  start(wish: MakeWish): Promise<Result<string, MakeRefusal>>
  /** Gives up what is being made; removes its row and its pieces. */
  cancel(): void
  /**
   * Waits until no context makes anything, then writes down what a page left that went in the
   * middle: its row says so, and its pieces stay. Rejects with the signal's reason.
   */
  settle(signal: AbortSignal): Promise<void>
  /** One file of a finished device edit; null where the browser removed it, which is noted. */
  open(row: MadeFileRow, index: number): Promise<File | null>
  /** Removes a device edit from this device. */
  remove(id: string): Promise<void>
  /** Gives up what is being made, waits for its end, and keeps nothing of any edit in memory. */
  stop(): Promise<void>
}

export function createMaker(deps: MakerDeps): Maker {
  const making = createSettable<Making | null>(null)
  const ends = new Set<AbortController>()
  let runs: Promise<unknown> = Promise.resolve()
  const unwritten: Unwritten = new Map()
  const shelf = (): Shelf | null => shelfOf(deps, unwritten)
  const cancel = (): void => {
    for (const end of ends) end.abort()
    const now = making.current()
    if (now !== null) deps.media.cancel(now.id)
  }
  return {
    current: making.current,
    subscribe: making.subscribe,
    start: async (wish) => {
      const own = shelf()
      if (own === null) return err({ code: 'made/not-here' })
      const begun = Promise.withResolvers<Result<string, MakeRefusal>>()
      const end = new AbortController()
      ends.add(end)
      const on = { begun: begun.resolve, report: making.become, signal: end.signal }
      const ran = makeUnderLock(deps, own, wish, on).finally(() => ends.delete(end))
      // What is refused because another edit is made must not take its place.
      runs = Promise.all([runs, ran])
      return begun.promise
    },
    cancel,
    settle: async (signal) => {
      const own = shelf()
      if (own !== null) await settleUnderLock(deps, own, signal)
    },
    open: async (row, index) => {
      const own = shelf()
      return own === null ? null : openMade(own, row, index)
    },
    remove: async (id) => {
      const own = shelf()
      if (own !== null) await removeAll(own, id)
    },
    stop: async () => {
      cancel()
      await runs
      unwritten.clear()
    },
  }
}

function shelfOf({ account, files }: MakerDeps, unwritten: Unwritten): Shelf | null {
  const open = account()
  if (open === null || files === null) return null
  return {
    userId: open.userId,
    db: open.db,
    bytes: createMadeBytes(files, open.userId, open.db.keys),
    unwritten,
  }
}

async function openMade({ db, bytes }: Shelf, row: MadeFileRow, index: number) {
  const facts = row.state.kind === 'ready' ? row.state.files[index] : undefined
  if (facts === undefined) return null
  const file = await bytes.open(row.id, index, facts.sizeBytes)
  // By reference: the browser's own file has neither the name nor the type.
  if (file !== null) return new File([file], facts.fileName, { type: facts.contentType })
  await db.madeFiles.update(row.id, { state: { kind: 'gone' } })
  return null
}
