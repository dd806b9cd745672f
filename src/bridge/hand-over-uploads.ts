import type { Account, PageLocal } from '#src/local/compose.ts'
import { openChannelPort } from '#src/local/channel/channel.ts'
import type { ChannelMessage } from '#src/local/channel/messages.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import { isHandedOver } from '#src/local/db/upload-states.ts'
import { createDexieStore } from '#src/local/uploads/adapters/dexie-store.ts'
import { createUploadApi } from '#src/local/uploads/adapters/openapi-api.ts'
import { createStoredBytes } from '#src/local/uploads/adapters/stored-bytes.ts'
import type { HandOverCommands } from '#src/local/uploads/api.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import {
  followHandedOver,
  handOver,
  type HandOverDeps,
} from '#src/local/uploads/hand-over/hand-over.ts'
import type { BrowserSender } from '#src/local/uploads/hand-over/port.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { UploadLocks } from '#src/local/uploads/ports.ts'
import { err } from '#src/lib/result.ts'

export interface UploadHandOverInput {
  readonly local: PageLocal
  readonly locks: UploadLocks
  /** Files that the page has in memory. */
  readonly held: ReadonlyMap<string, File>
  /** Null where the browser has none. */
  readonly sender: BrowserSender | null
}

/**
 * Handing over of uploads, as this page does it. The page also follows what it or another page
 * handed over: see [Note: handing over].
 */
export function createHandOver(input: UploadHandOverInput): HandOverCommands {
  const { local, sender } = input
  const depsNow = (): HandOverDeps | null => {
    const account = local.account()
    // What was sent is recorded by the service worker, which has no key of a locked account.
    if (account === null || account.db.keys !== null || sender === null) return null
    return depsOf(input, account, sender)
  }
  local.subscribeAccount(followAll(local, depsNow))
  return {
    handOver: async (uploadId) => {
      const deps = depsNow()
      return deps === null ? err({ code: 'upload/not-possible' }) : handOver(deps, uploadId)
    },
  }
}

/** Follows the uploads of the open account; the returned function begins again with another one. */
function followAll(local: PageLocal, depsNow: () => HandOverDeps | null): () => void {
  let unwatch = (): void => undefined
  const begin = (): void => {
    unwatch()
    const account = local.account()
    const deps = depsNow()
    if (account === null || deps === null) return
    const followed = new Set<string>()
    const follow = (uploadId: string): void => {
      if (followed.has(uploadId)) return
      followed.add(uploadId)
      void followHandedOver(deps, uploadId, report)
        // The account was closed under it.
        .catch(() => undefined)
        .finally(() => followed.delete(uploadId))
    }
    unwatch = subscribeLive(() => account.db.uploads.toArray(), {
      next: (rows) => {
        for (const { id, state } of rows) if (isHandedOver(state.kind)) follow(id)
      },
      error: () => local.log.warn('uploads that are handed over cannot be followed'),
    })
  }
  begin()
  return begin
}

function depsOf(
  { local, locks, held }: UploadHandOverInput,
  account: Account,
  sender: BrowserSender,
): HandOverDeps {
  const bytes = createStoredBytes({ db: account.db, estimate: null, isInstalled: false })
  for (const [uploadId, file] of held) bytes.hold(uploadId, file)
  return {
    clock: local.clock,
    log: local.log,
    locks,
    bytes,
    sender,
    store: createDexieStore(account.db, local.log, local.clock),
    digest: webCryptoDigest,
    // No upload is created here.
    api: createUploadApi(local.api, async () => 's3-multipart'),
  }
}

/** Tells all pages, this one too, how much the browser has sent. */
function report(sentBytes: number, { id, safeBytes, file }: UploadRow): void {
  const message: ChannelMessage = {
    v: 1,
    type: 'upload-progress',
    uploadId: id,
    safeBytes,
    inFlightBytes: Math.min(sentBytes, file.sizeBytes - safeBytes),
    bytesPerSecond: null,
    secondsLeft: null,
    quietForMs: 0,
    pause: null,
    isUnsaved: false,
  }
  // A port of its own: a sender does not receive its own messages.
  const port = openChannelPort()
  port.postMessage(message)
  port.close()
}
