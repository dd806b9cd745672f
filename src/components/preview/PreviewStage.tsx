import { PREVIEW_MARK } from '#src/components/problem/preview-copy.ts'
import type { PreviewState } from '#src/local/previews/preview-runner.ts'
import type { Size } from '#recipes/picture.ts'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import { PreviewFailed } from './PreviewFailed.tsx'
import { PreviewMedia } from './PreviewMedia.tsx'
import { PreviewProgress } from './PreviewProgress.tsx'

export interface PreviewStageProps {
  readonly state: PreviewState
  /** Of what the edit shows. */
  readonly shape: Size
  /** What is shown, for screen readers: 'Moment 3 at 0:42'. */
  readonly name: string
  /** Stands in while the preview is made. */
  readonly picture: Blob | null
  readonly uploadId: string
  readonly onRetry: () => void
}

/** One preview in its own shape: how far it is, then itself, or why there is none. */
export function PreviewStage({
  state,
  shape,
  name,
  picture,
  uploadId,
  onRetry,
}: PreviewStageProps) {
  if (state.kind === 'failed')
    return <PreviewFailed failure={state.failure} uploadId={uploadId} onRetry={onRetry} />
  const output = state.kind === 'ready' ? state.outputs[0] : undefined
  return (
    <figure className="flex flex-col items-center gap-2">
      <div
        className="relative max-h-[48dvh] w-full overflow-hidden rounded-control bg-black"
        style={{
          aspectRatio: `${shape.width} / ${shape.height}`,
          maxWidth: `calc(48dvh * ${shape.width} / ${shape.height})`,
        }}
      >
        {output === undefined ? (
          <Making state={state} picture={picture} />
        ) : (
          <PreviewMedia output={output} name={`Preview of ${name}`} />
        )}
      </div>
      <PreviewMark />
      <p role="status" className="sr-only">
        {output === undefined ? '' : 'The preview is ready.'}
      </p>
    </figure>
  )
}

/** The words that stand at every preview. */
export function PreviewMark() {
  return (
    <figcaption className="text-center text-sm font-medium text-ink">{PREVIEW_MARK}</figcaption>
  )
}

function Making({ state, picture }: Pick<PreviewStageProps, 'state' | 'picture'>) {
  return (
    <>
      {picture === null ? null : (
        <BlobImage
          blob={picture}
          alt=""
          className="absolute inset-0 size-full object-contain opacity-60"
        />
      )}
      <div className="absolute inset-x-0 bottom-0 bg-surface-raised/95 p-3 text-ink">
        <PreviewProgress state={state} />
      </div>
    </>
  )
}
