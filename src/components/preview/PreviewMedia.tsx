import { useBlobUrl } from '#src/hooks/previews/use-blob-url.ts'
import type { PreviewOutput } from '#src/local/previews/preview.ts'

/**
 * A finished preview: a picture, or a clip that plays over and over, silent until it is given
 * sound. Fills its box.
 */
export function PreviewMedia({
  output,
  name,
}: {
  readonly output: PreviewOutput
  readonly name: string
}) {
  const address = useBlobUrl(output.blob)
  if (address === null) return null
  const look = 'absolute inset-0 size-full object-contain'
  if (output.kind === 'image' || output.kind === 'gif')
    return <img src={address} alt={name} className={look} />
  return (
    <video
      src={address}
      aria-label={name}
      controls
      loop
      muted
      playsInline
      autoPlay={!matchMedia('(prefers-reduced-motion: reduce)').matches}
      className={look}
    />
  )
}
