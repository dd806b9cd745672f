/** The service worker's entry: only wires; one file for each duty. */
import { endedInstall, serveApp } from './app-shell.ts'
import { serveFfmpegCore } from './ffmpeg-core.ts'
import { copyArrivals } from './kept-arrivals.ts'
import { serveKeptFiles } from './kept-files.ts'
import { keepLibraryFresh } from './library.ts'
import { showPushes } from './pushes.ts'
import { takeShares } from './share-target.ts'
import { obeyUpdates } from './update.ts'
import { asksForAnotherEvent, carryUploadsOn } from './uploads.ts'
import { logUnhandled } from '#src/lib/log.ts'
import { createWorkerLog } from '#src/local/compose-worker.ts'

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: readonly { readonly url: string; readonly revision: string | null }[]
}

// Part PUTs, API answers and downloads match no route below and go to the network untouched.
logUnhandled(
  self,
  createWorkerLog('service-worker'),
  (reason) => endedInstall(reason) || asksForAnotherEvent(reason),
)
obeyUpdates(self)
carryUploadsOn(self)
copyArrivals(self)
showPushes(self)
keepLibraryFresh(self)
takeShares(self)
serveFfmpegCore(self)
serveKeptFiles(self)
serveApp(self.__WB_MANIFEST)
