import { useState } from 'react'
import type { components } from '#openapi/schema.gen.ts'
import { Button } from '#src/ui/Button.tsx'
import { Play } from 'lucide-react'

type Output = Extract<components['schemas']['Output'], { kind: 'download-button' }>

/**
 * Shows a result before it is downloaded: pictures and GIFs at once, videos when asked for. Nothing for archives and
 * other files. Needs the network.
 */
export function OutputPreview({ output }: { readonly output: Output }) {
  const [isPlaying, setIsPlaying] = useState(false)
  const [isFailed, setIsFailed] = useState(false)
  const address = inlineAddress(output.downloadUrl)
  const shape = output.width !== null && output.height !== null && output.height > 0 ? { aspectRatio: `${output.width} / ${output.height}` } : {}
  if (isFailed) return <p className="text-sm text-ink-muted">The preview could not be loaded. The download still works.</p>
  if (output.contentType.startsWith('image/')) {
    return (
      <img
        src={address} alt={`Preview of ${output.fileName}`} loading="lazy" decoding="async" style={shape} onError={() => setIsFailed(true)}
        className="max-h-64 w-full rounded-control bg-surface-sunken object-contain"
      />
    )
  }
  if (!output.contentType.startsWith('video/')) return null
  return isPlaying
    ? (
        <video
          src={address} controls autoPlay playsInline preload="metadata" aria-label={`Preview of ${output.fileName}`} style={shape} onError={() => setIsFailed(true)}
          className="max-h-96 w-full rounded-control bg-black object-contain"
        />
      )
    : (
        <Button variant="secondary" size="small" onPress={() => setIsPlaying(true)} label={`Play ${output.fileName}`}>
          <Play aria-hidden className="size-4" /> Play
        </Button>
      )
}

/** The same download, shown instead of saved. */
function inlineAddress(downloadUrl: string): string {
  return `${downloadUrl}${downloadUrl.includes('?') ? '&' : '?'}inline=1`
}
