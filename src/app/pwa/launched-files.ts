import type { Store } from 'jotai'
import { launchedFilesAtom } from '#src/hooks/device/launched-files-atoms.ts'

/** Of the launch handler; TypeScript has no types of it. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly files?: readonly FileSystemHandle[] }) => void): void
}

/** Takes the files that the system opens with the installed app, where the browser does that. */
export function takeLaunchedFiles(store: Store, scope: object): void {
  if (!hasQueue(scope)) return
  scope.launchQueue.setConsumer(({ files = [] }) => {
    const opened = files.filter((handle) => handle.kind === 'file') as FileSystemFileHandle[]
    store.set(launchedFilesAtom, (all) => [...all, ...opened])
  })
}

function hasQueue(scope: object): scope is { readonly launchQueue: LaunchQueue } {
  return 'launchQueue' in scope
}
