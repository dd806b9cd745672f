import { useRef, useState } from 'react'
import { Play } from 'lucide-react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import {
  SAMPLE_LATER,
  SAMPLE_UNHEARD,
  SAMPLE_WAIT,
  sampleWords,
} from '#src/components/problem/preview-copy.ts'
import { useSample, type ReadySample, type SampleState } from '#src/hooks/previews/use-sample.ts'
import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { PreviewMark } from './PreviewStage.tsx'

interface SamplePreviewProps {
  /** The upload that the server has checked; null before. */
  readonly uploadRequestId: string | null
  readonly edit: PreviewEdit
}

/** Some seconds of the video before and after an edit, made by the server when asked for. */
export function SamplePreview({ uploadRequestId, edit }: SamplePreviewProps) {
  if (uploadRequestId === null) return <p>{SAMPLE_LATER}</p>
  // Another edit, or other options, begin without what was said of the last one.
  const key = JSON.stringify([uploadRequestId, edit.slug, edit.payload])
  return <Sample key={key} uploadRequestId={uploadRequestId} edit={edit} />
}

function Sample({
  uploadRequestId,
  edit,
}: SamplePreviewProps & { readonly uploadRequestId: string }) {
  const { state, ask } = useSample(uploadRequestId, edit)
  const place = useRef<HTMLDivElement>(null)
  // The button that was pressed goes, and without it the dialog would go to its first one: 'Close'.
  const askHere = () => {
    place.current?.focus()
    ask()
  }
  return (
    <div
      ref={place}
      role="group"
      aria-label="Before and after"
      tabIndex={-1}
      className="flex flex-col gap-4 outline-none"
    >
      <Shown state={state} edit={edit} onAsk={askHere} />
      <p role="status" className="sr-only">
        {state.kind === 'ready' ? 'The preview is ready.' : ''}
      </p>
    </div>
  )
}

interface ShownProps {
  readonly state: SampleState
  readonly edit: PreviewEdit
  readonly onAsk: () => void
}

function Shown({ state, edit, onAsk }: ShownProps) {
  switch (state.kind) {
    case 'unasked':
      return (
        <>
          <p>The server makes this edit of a few seconds of your video, to compare with before.</p>
          <Button variant="secondary" onPress={onAsk} className="self-start">
            <Play aria-hidden className="size-4.5" />
            Make the preview
          </Button>
        </>
      )
    case 'making':
      return (
        <>
          <ProgressBar label="The server makes the preview" percent={null} />
          <p className="text-sm">{state.isUnheard ? SAMPLE_UNHEARD : SAMPLE_WAIT}</p>
        </>
      )
    case 'ready':
      return <BeforeAndAfter sample={state.sample} edit={edit} onAsk={onAsk} />
    case 'not-made':
      return (
        <NotMade title={state.message ?? 'The server could not make this preview.'} onAsk={onAsk} />
      )
    case 'failed':
      // What is refused for good, as a sound that the edit needs and the video has not.
      return state.failure.code === 'api/http' && state.failure.status === 422 ? (
        <Notice kind="warning" isLive title={serverProblemCopy(state.failure).title} />
      ) : (
        <PullFailure
          title="The preview could not be made"
          pull={{
            data: null,
            failure: state.failure,
            asOfEpochMs: 0,
            isFetching: false,
            refresh: onAsk,
          }}
        />
      )
  }
}

function NotMade({ title, onAsk }: { readonly title: string; readonly onAsk: () => void }) {
  return (
    <Notice
      kind="warning"
      isLive
      title={title}
      action={
        <Button variant="secondary" onPress={onAsk}>
          Try again
        </Button>
      }
    />
  )
}

const SIDES = [
  ['before', 'Before'],
  ['after', 'After'],
] as const

function BeforeAndAfter({
  sample,
  edit,
  onAsk,
}: Omit<ShownProps, 'state'> & { readonly sample: ReadySample }) {
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed) return <NotMade title="The preview could not be loaded." onAsk={onAsk} />
  return (
    <figure className="flex flex-col gap-4">
      <p>{sampleWords(edit, sample)}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {SIDES.map(([side, name]) => (
          <div key={side} className="flex min-w-0 flex-col gap-1.5">
            <p className="font-semibold text-ink">{name}</p>
            <video
              src={sample.urls[side]}
              aria-label={name}
              controls
              loop
              playsInline
              preload="metadata"
              onError={() => setFailed(true)}
              className="max-h-[48dvh] w-full rounded-control bg-black"
            />
          </div>
        ))}
      </div>
      <PreviewMark />
    </figure>
  )
}
