import type { MediaBridge } from '#src/bridge/media-bridge.ts'
import type { UploadBridge } from '#src/bridge/upload-bridge.ts'
import type { ProgressStore, Uploads } from '#src/hooks/uploads-context.ts'
import { err, ok } from '#src/lib/result.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'
import { createWebLocks } from '#src/local/uploads/adapters/web-locks.ts'

/** What a test wants to be different of the workers that a page talks to. */
export interface UploadsOptions {
  readonly bridge?: Partial<UploadBridge>
  readonly media?: Partial<MediaBridge>
  readonly progress?: readonly UploadProgress[]
}

/** Both bridges without a worker behind them, and the commands that the screen gave. */
export interface FakeUploads extends Uploads {
  /** `<command> <upload id>`, oldest first. */
  readonly commands: readonly string[]
  /** The driver of an upload reports. */
  report(progress: UploadProgress): void
}

/** Commands succeed and change no row; the media worker reads nothing. */
export function createFakeUploads(options: UploadsOptions): FakeUploads {
  const commands: string[] = []
  const command = (name: string) => async (uploadId: string) => {
    commands.push(`${name} ${uploadId}`)
    return ok(undefined)
  }
  const bridge: UploadBridge = {
    start: command('start'),
    pause: command('pause'),
    resume: command('resume'),
    retryNow: command('retryNow'),
    discard: command('discard'),
    undoDiscard: command('undoDiscard'),
    provideFile: command('provideFile'),
    startOver: command('startOver'),
    signedIn: async () => undefined,
    networkBack: async () => undefined,
    stop: async () => undefined,
    locks: createWebLocks(navigator.locks),
    heldFile: () => null,
    abilities: () => ({ isInstalled: false, hasBackgroundSync: false }),
    ...options.bridge,
  }
  const unavailable = async () => err({ code: 'probe/engine-unavailable' as const })
  const media: MediaBridge = {
    probe: unavailable,
    inspect: unavailable,
    poster: unavailable,
    filmstrip: unavailable,
    pictures: unavailable,
    preview: unavailable,
    keepEngine: async () => undefined,
    cancel: () => undefined,
    release: async () => undefined,
    ...options.media,
  }
  const progress = createProgress(options.progress ?? [])
  return { bridge, media, progress: progress.store, commands, report: progress.report }
}

function createProgress(first: readonly UploadProgress[]): {
  readonly store: ProgressStore
  report(progress: UploadProgress): void
} {
  const newest = new Map(first.map((progress) => [progress.uploadId, progress]))
  const listeners = new Set<() => void>()
  return {
    store: {
      get: (uploadId) => newest.get(uploadId) ?? null,
      subscribe: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    report: (progress) => {
      newest.set(progress.uploadId, progress)
      for (const listener of listeners) listener()
    },
  }
}
