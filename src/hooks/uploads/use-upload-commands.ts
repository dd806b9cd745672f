import { useMemo } from 'react'
import { askToPersist } from '#src/hooks/device/ask-to-persist.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { useUploadsContext } from './uploads-context.ts'
import { composeUploadCommands, type UploadCommands } from '#src/local/compose-upload-commands.ts'

/** The commands; the same object for the life of the page. */
export function useUploadCommands(): UploadCommands {
  const local = useLocal()
  const { bridge, media } = useUploadsContext()
  // Effects depend on it.
  return useMemo(
    () => composeUploadCommands({ local, engine: bridge, media, mayRead, askToPersist }),
    [local, bridge, media],
  )
}

async function mayRead(handle: FileSystemFileHandle): Promise<boolean> {
  return (await handle.requestPermission({ mode: 'read' })) === 'granted'
}
