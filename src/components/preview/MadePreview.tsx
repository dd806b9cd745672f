import {
  CUT_LATER,
  MOMENTS_LATER,
  previewFailureCopy,
} from '#src/components/problem/preview-copy.ts'
import { previewScript, type PreviewScript } from '#src/local/previews/preview-script.ts'
import { Notice } from '#src/ui/Notice.tsx'
import type { EditPreviewProps } from './edit-preview-props.ts'
import { PreviewGallery } from './PreviewGallery.tsx'
import { PreviewReel } from './PreviewReel.tsx'
import { PreviewSound } from './PreviewSound.tsx'
import { PreviewTimeline } from './PreviewTimeline.tsx'

/**
 * What an edit makes of the creator's own video, made on this device while it is shown; leaving it
 * ends the work.
 */
export function MadePreview({ video, edit }: EditPreviewProps) {
  const script = previewScript(edit.slug, video.source, edit.payload)
  if (!script.ok) {
    const { title, body } = previewFailureCopy(script.error)
    return <Notice title={title}>{body ?? undefined}</Notice>
  }
  const { passages, kind, items, part, areMomentsChosenLater } = script.value
  const isCutOut =
    part !== null || (kind === 'gallery' && items.some((each) => each.kind === 'gif'))
  return (
    <div className="flex flex-col gap-5">
      <Shown script={script.value} video={video} edit={edit} />
      {kind === 'moments' ? (
        <PreviewTimeline passages={passages} sourceDurationMs={video.source.durationMs} />
      ) : null}
      {isCutOut && edit.moments === undefined ? <p className="text-sm">{CUT_LATER}</p> : null}
      {areMomentsChosenLater ? <p className="text-sm">{MOMENTS_LATER}</p> : null}
    </div>
  )
}

function Shown({ script, video, edit }: EditPreviewProps & { readonly script: PreviewScript }) {
  switch (script.kind) {
    case 'places':
    case 'moments':
      return <PreviewReel script={script} video={video} edit={edit} />
    case 'gallery':
      return <PreviewGallery items={script.items} video={video} edit={edit} />
    case 'sound':
      return <PreviewSound items={script.items} video={video} edit={edit} />
  }
}
