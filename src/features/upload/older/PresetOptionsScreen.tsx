import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormPath } from '#src/components/assets/for-path.ts'
import { findOptionsForm } from '#src/components/options/forms.tsx'
import { LivePreview } from '#src/components/preview/LivePreview.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { olderFlow, olderFlowPath } from '#src/config/paths.ts'
import { useOptionsDraftActions } from '#src/hooks/edits/use-options-draft.ts'
import { usePreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useEditsToBeginWith, useSaveSelection } from '#src/hooks/edits/use-selection.ts'
import { editName } from '#src/local/edits/edit-name.ts'
import type { SlugWithOptions, TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { AbsentUpload } from '#src/features/upload/formats/AbsentUpload.tsx'
import { isChosen, reduceSelection } from '#src/features/upload/formats/selection.ts'
import { useVideoToEdit } from '#src/features/upload/formats/use-video-to-edit.ts'
import { servedUpload } from '#src/features/upload/upload-queries.ts'
import { arrivalState } from './arrival.ts'
import { OlderUpload } from './OlderUpload.tsx'
import { useOlderUpload } from './use-older-upload.ts'

/** The page of the older flow that asks for the options of one preset (FMT-09). */
export function PresetOptionsScreen({ slug }: { readonly slug: SlugWithOptions }) {
  const upload = useOlderUpload()
  const presets = usePresets()
  const preset = presets.data?.find((candidate) => candidate.slug === slug)
  const name = editName(slug, presets.data ?? [])
  const isSupported = preset?.isOffered === true && findOptionsForm(slug) !== undefined
  if (presets.data === null)
    return (
      <Page title={name} width="narrow">
        <PullFailure pull={presets} title="Unable to fetch media job task presets" />
        {presets.failure === null ? <Skeleton className="h-64" /> : null}
      </Page>
    )
  if (!isSupported) return <NotSupported name={name} />
  return (
    <Page title={name} width="narrow">
      <OlderUpload upload={upload}>
        {(uploadRequestId) => (
          <Options
            key={uploadRequestId}
            slug={slug}
            name={name}
            uploadRequestId={uploadRequestId}
          />
        )}
      </OlderUpload>
    </Page>
  )
}

/** Says which format is missing here, and leads to those that are not. */
function NotSupported({ name }: { readonly name: string }) {
  return (
    <Page title={name} width="narrow">
      <EmptyState
        title={`${name} is not supported yet`}
        action={<LinkButton to={olderFlow.select}>See the formats on offer</LinkButton>}
      >
        This server does not make this format. What you have chosen is kept.
      </EmptyState>
    </Page>
  )
}

interface OptionsProps {
  readonly slug: SlugWithOptions
  readonly name: string
  readonly uploadRequestId: string
}

/** The form once the upload and what is chosen already are known. */
function Options(props: OptionsProps) {
  const { slug, uploadRequestId } = props
  const subject = useVideoToEdit(uploadRequestId, (id) =>
    olderFlowPath(olderFlow.options[slug], id),
  )
  const source = usePreviewSource(
    subject.row ?? null,
    servedUpload(uploadRequestId, subject.remote.data),
  )
  const chosen = useEditsToBeginWith(uploadRequestId)
  const formId = useId()
  const [isValid, setIsValid] = useState(true)
  const [isDrawn, setIsDrawn] = useState(false)
  const { apply, cancel } = useLeave(props, chosen.kind === 'ready' ? chosen.value : [])
  if (subject.absence !== null) return <AbsentUpload absence={subject.absence} />
  if (chosen.kind !== 'ready' || subject.row === undefined) return <Skeleton className="h-64" />
  return (
    <Card>
      {findOptionsForm(slug)?.render({
        formId,
        flow: 'older',
        initial:
          chosen.value.find(({ mediaJobTaskPresetSlug }) => mediaJobTaskPresetSlug === slug) ??
          null,
        onApply: (request) => void apply(request),
        uploadRequestId,
        sourceDurationMs: subject.video.durationMs,
        video: source.kind === 'video' ? source.video : null,
        onValidity: setIsValid,
        onDrawn: setIsDrawn,
        renderPreview:
          source.kind === 'none'
            ? undefined
            : (request) => <LivePreview footage={source} request={request} isShownAtOnce={false} />,
      })}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onPress={cancel}>
          Cancel
        </Button>
        <Button type="submit" form={formId} isDisabled={!isValid || !isDrawn}>
          Apply
        </Button>
      </div>
    </Card>
  )
}

/** Apply adds the request and goes back to the formats; Cancel only goes back. */
function useLeave({ name, uploadRequestId }: OptionsProps, chosen: readonly TaskRequest[]) {
  const navigate = useNavigate()
  const save = useSaveSelection(uploadRequestId)
  const toasts = useToasts()
  const { forget } = useOptionsDraftActions(useFormPath())
  const back = olderFlowPath(olderFlow.select, uploadRequestId)
  const apply = async (request: TaskRequest) => {
    const wasChosen = isChosen(chosen, request.mediaJobTaskPresetSlug)
    const next = reduceSelection({ requests: chosen, optionsOf: null }, { kind: 'apply', request })
    try {
      await save(next.requests)
    } catch {
      // The device's storage refused: what the form holds stays on the screen.
      toasts.show('warning', 'This device could not save your choice.')
      return
    }
    const text = wasChosen ? `The options of ${name} were changed.` : `${name} was added.`
    await navigate(back, { replace: true, state: arrivalState({ kind: 'success', text }) })
  }
  const cancel = () => {
    void forget()
    void navigate(back, { replace: true })
  }
  return { apply, cancel }
}
