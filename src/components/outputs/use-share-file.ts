import { useEffect, useRef, useState } from 'react'
import { MIB } from '#src/lib/bytes.ts'

/** A file that another app of the device may take. */
export interface SharableFile {
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
 * @param from its bytes where they are here, else its address
 */
export function useShareFile(
  file: SharableFile,
  from: Blob | string,
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
      loaded.current ??= await load(file, from, loading.current.signal)
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

async function load(
  { fileName, contentType }: SharableFile,
  from: Blob | string,
  signal: AbortSignal,
): Promise<File> {
  const blob = typeof from === 'string' ? await fetchBlob(from, signal) : from
  return new File([blob], fileName, { type: contentType })
}

async function fetchBlob(address: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(address, { signal })
  if (!answer.ok) throw new Error(`The file was answered with ${answer.status}`)
  return answer.blob()
}

function stateAfter(thrown: unknown): ShareState {
  const name = thrown instanceof DOMException ? thrown.name : ''
  // The person closed the list of apps.
  if (name === 'AbortError') return 'idle'
  // The press is forgotten after some seconds, which a large file takes.
  return name === 'NotAllowedError' ? 'ready' : 'failed'
}
