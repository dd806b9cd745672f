/**
 * Dedicated worker that sends uploads: runs as long as a page is open, and has XHR for progress.
 */
import { expose } from 'comlink'
import { logUnhandled } from '#src/lib/log.ts'
import { composeWorker, createWorkerLog } from '#src/local/compose-worker.ts'
import { createUploadHost } from '#src/local/uploads/host/compose-upload-host.ts'

logUnhandled(self, createWorkerLog('uploads'))
expose(
  createUploadHost({
    origin: self.location.origin,
    locks: navigator.locks,
    estimate: 'storage' in navigator ? () => navigator.storage.estimate() : null,
    composeLocal: (userId, keys) =>
      composeWorker({
        userId,
        area: 'uploads',
        origin: self.location.origin,
        cookieStore: null,
        keys,
      }),
  }),
)
