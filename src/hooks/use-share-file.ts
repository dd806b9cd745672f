import { useEffect, useRef, useState } from 'react'
import { MIB } from '#src/lib/bytes.ts'

/** A file of this server, or one that is here, that another app of the device may take. */
export type SharableFile = FileFacts & ({ readonly downloadUrl: string } | { readonly held: File })

interface FileFacts {
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
}

/** `ready`: the file is here, and the browser wants another press before it shows the apps. */
export type ShareState = 'idle' | 'loading' | 'ready' | 'failed'

/** A phone holds what it shares in memory. */
const MOST_BYTES = 256 * MIB

/** Whether this browser hands such a file to other apps. */
export function canShareFile({ fileName, contentType, sizeBytes }: SharableFile): boolean {
  if (sizeBytes > MOST_BYTES || !('canShare' in navigator)) return false
  return navigator.canShare({ files: [new File(['-'], fileName, { type: contentType })] })
}

/**
 * Loads a file and hands it to the apps of the device at a press (Web Share).
 * @param blob the file where it is here already
 */
export function useShareFile(
  file: SharableFile,
  blob: Blob | null,
): {
  readonly state: ShareState
  readonly share: () => void
} {
  const [state, setState] = useState<ShareState>('idle')
  const loaded = useRef<File | null>(null)
  const loading = useRef<AbortController | null>(null)
  useEffect(() => () => loading.current?.abort(), [])
  const hand = async (): Promise<ShareState> => {
    try {
      loading.current = new AbortController()
      loaded.current ??= await load(file, blob, loading.current.signal)
      await navigator.share({ files: [loaded.current] })
    } catch (thrown) {
      return stateAfter(thrown)
    }
    loaded.current = null
    return 'idle'
  }
  return {
    state,
    share: () => {
      setState('loading')
      void hand().then(setState)
    },
  }
}

async function load(file: SharableFile, blob: Blob | null, signal: AbortSignal): Promise<File> {
  if ('held' in file) return file.held
  const { downloadUrl, fileName, contentType } = file
  if (blob !== null) return new File([blob], fileName, { type: contentType })
  const answer = await fetch(downloadUrl, { signal })
  if (!answer.ok) throw new Error(`The file was answered with ${answer.status}`)
  return new File([await answer.blob()], fileName, { type: contentType })
}

function stateAfter(thrown: unknown): ShareState {
  const name = thrown instanceof DOMException ? thrown.name : ''
  // The person closed the list of apps.
  if (name === 'AbortError') return 'idle'
  // The press is forgotten after some seconds, which a large file takes.
  return name === 'NotAllowedError' ? 'ready' : 'failed'
}
