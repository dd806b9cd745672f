import { findOptionsForm } from '#src/components/options/forms.tsx'
import { OptionsDialog } from '#src/components/options/OptionsDialog.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import { MomentBoardDialog } from '#src/features/upload/moments/MomentBoardDialog.tsx'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import { plainRequest, type TaskRequest } from '#src/local/edits/task-requests.ts'
import { requestOf, type Selection, type SelectionEvent } from './selection.ts'
import type { KnownVideo } from './unmet-needs.ts'

interface EditDialogsProps {
  readonly presets: readonly Preset[]
  readonly selection: Selection
  /** Null for a read-only preview. */
  readonly onEvent: ((event: SelectionEvent) => void) | null
  readonly known: KnownVideo
  readonly uploadRequestId: string | null
  readonly footage: PreviewFootage | null
  readonly previewed: Preset | null
  /** Whose moments are chosen beside its options. */
  readonly boardOf: Preset | null
  readonly onEnd: () => void
}

/** The dialogs of one edit: its options, its moments, its preview. One is open at most. */
export function EditDialogs(props: EditDialogsProps) {
  const { presets, known, selection, onEvent, uploadRequestId, footage, previewed } = props
  const changed = presets.find((preset) => preset.slug === selection.optionsOf)
  const isPlain = changed !== undefined && plainRequest(changed.slug) !== null
  const board = props.boardOf ?? (isPlain ? changed : null)
  const asked =
    (isPlain ? undefined : changed) ??
    (previewed !== null && findOptionsForm(previewed.slug) !== undefined ? previewed : undefined)
  const end = (event: SelectionEvent) => {
    onEvent?.(event)
    props.onEnd()
  }
  const requestFor = (preset: Preset) => requestOf(selection.requests, preset.slug)
  return (
    <>
      {onEvent === null && footage === null ? null : (
        <OptionsDialog
          slug={asked?.slug ?? null}
          name={asked?.name ?? ''}
          initial={asked === undefined ? null : requestFor(asked)}
          uploadRequestId={uploadRequestId}
          sourceDurationMs={known.durationMs}
          footage={footage}
          isForPreview={asked === previewed}
          onApply={onEvent === null ? null : (request) => end({ kind: 'apply', request })}
          onClose={() => end({ kind: 'close' })}
        />
      )}
      {uploadRequestId === null ? null : (
        <MomentBoardDialog
          uploadRequestId={uploadRequestId}
          request={board === null ? null : requestFor(board)}
          name={board?.name ?? ''}
          footage={footage}
          onApply={(request) => end({ kind: 'apply', request })}
          onClose={() => end({ kind: 'close' })}
        />
      )}
      {footage === null ? null : (
        <PreviewDialog
          footage={footage}
          edit={previewed === asked ? null : editToPreview(previewed, selection.requests)}
          name={previewed?.name ?? ''}
          onClose={props.onEnd}
        />
      )}
    </>
  )
}

/** A preset that needs no options as an edit to preview, with the moments chosen for it. */
function editToPreview(
  preset: Preset | null,
  requests: readonly TaskRequest[],
): PreviewEdit | null {
  if (preset === null) return null
  return { slug: preset.slug, payload: requestOf(requests, preset.slug)?.payload }
}
