import { FileArchive, FileDown, Play } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import type { components } from '#openapi/schema.gen.ts'

type Output = Extract<components['schemas']['Output'], { kind: 'download-button' }>

/**
 * Shows a result before it is downloaded: pictures and GIFs at once, videos when asked for. A sign for archives, and for
 * everything while there is no network.
 */
export function OutputPreview({ output, isOnline }: { readonly output: Output; readonly isOnline: boolean }) {
  const [isPlaying, setIsPlaying] = useState(false)
  const [isFailed, setIsFailed] = useState(false)
  const address = inlineAddress(output.downloadUrl)
  const isVideo = output.contentType.startsWith('video/')
  if (isFailed) return <Tile><p className="px-4 text-center text-sm">The preview could not be loaded. The download still works.</p></Tile>
  if (isOnline && output.contentType.startsWith('image/')) {
    return <Tile><img src={address} alt={`Preview of ${output.fileName}`} loading="lazy" decoding="async" onError={() => setIsFailed(true)} className="size-full object-contain" /></Tile>
  }
  if (isOnline && isVideo && isPlaying) {
    return (
      <Tile>
        <video src={address} controls autoPlay playsInline preload="metadata" aria-label={`Preview of ${output.fileName}`} onError={() => setIsFailed(true)} className="size-full bg-black object-contain" />
      </Tile>
    )
  }
  if (isOnline && isVideo) {
    return (
      <Tile>
        <Button
          onPress={() => setIsPlaying(true)} aria-label={`Play ${output.fileName}`}
          className="grid size-14 cursor-pointer place-items-center rounded-full bg-gradient-accent text-on-accent shadow-accent transition hover:brightness-110"
        >
          <Play aria-hidden className="size-6 translate-x-0.5 fill-current" />
        </Button>
      </Tile>
    )
  }
  return <Tile>{output.contentType === 'application/zip' ? <FileArchive aria-hidden className="size-9" /> : <FileDown aria-hidden className="size-9" />}</Tile>
}

function Tile({ children }: { readonly children: ReactNode }) {
  return <div className="grid aspect-video place-items-center overflow-hidden rounded-control bg-surface-sunken text-ink-faint">{children}</div>
}

/** The same download, shown instead of saved. */
function inlineAddress(downloadUrl: string): string {
  return `${downloadUrl}${downloadUrl.includes('?') ? '&' : '?'}inline=1`
}
