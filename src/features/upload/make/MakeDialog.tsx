import { useState } from 'react'
import { findRecipe } from '#recipes/presets.ts'
import {
  failedWords,
  GONE_WORDS,
  NO_FACES_WORDS,
  rungWords,
} from '#src/components/made/make-words.ts'
import { MadeFiles } from '#src/components/made/MadeFiles.tsx'
import { MakeAgain } from '#src/components/made/MakeAgain.tsx'
import { MakeProgress } from '#src/components/made/MakeProgress.tsx'
import { OptionsDialog } from '#src/components/options/OptionsDialog.tsx'
import { useAttesting } from '#src/features/upload/order/Attestation.tsx'
import { useMakeRungs } from './use-make-rungs.ts'
import { useMadeEdits } from '#src/hooks/edits/use-made-edits.ts'
import type { MakeRung } from '#src/local/made/make.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { MomentBoardDialog } from '#src/features/upload/moments/MomentBoardDialog.tsx'
import { percent, whyNotFound } from '#src/features/upload/moments/finding-words.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useBegin, type Begin } from './use-begin.ts'
import type { Makes, MakeSubject } from './use-makes.ts'

/** One edit on its way on this device: what it will be, how far it is, and what came of it. */
export function MakeDialog({ makes }: { readonly makes: Makes }) {
  const { subject, video } = makes
  const close = () => makes.setSubject(null)
  if (subject?.kind === 'options')
    return video === null ? null : (
      <OptionsFirst makes={makes} video={video} subject={subject} onClose={close} />
    )
  if (subject?.kind === 'wish')
    return video === null ? null : (
      <WishDialog makes={makes} video={video} wish={subject} onClose={close} />
    )
  return (
    <Dialog
      title={subject === null ? '' : subject.name}
      width="medium"
      isOpen={subject !== null}
      onClose={close}
      footer={
        <Button variant="secondary" onPress={close}>
          Close
        </Button>
      }
    >
      {subject === null ? null : <MadeSubject makes={makes} id={subject.id} name={subject.name} />}
    </Dialog>
  )
}

/** The form of an edit that cannot be made without options. */
function OptionsFirst({
  makes,
  video,
  subject: { preset, againId },
  onClose,
}: {
  readonly makes: Makes
  readonly video: PreviewVideo
  readonly subject: Extract<MakeSubject, { kind: 'options' }>
  readonly onClose: () => void
}) {
  return (
    <OptionsDialog
      slug={preset.slug}
      name={preset.name}
      initial={null}
      uploadRequestId={makes.upload.uploadRequestId}
      sourceDurationMs={video.source.durationMs}
      footage={{ kind: 'video', video, served: null }}
      onApply={(request) => makes.setSubject({ kind: 'wish', name: preset.name, request, againId })}
      onClose={onClose}
    />
  )
}

type Wish = Extract<MakeSubject, { kind: 'wish' }>

/** What is asked before an edit is made: its moments, and once for each video the attestation. */
function WishDialog({
  makes,
  video,
  wish,
  onClose,
}: {
  readonly makes: Makes
  readonly video: PreviewVideo
  readonly wish: Wish
  readonly onClose: () => void
}) {
  const { upload } = makes
  const [request, setRequest] = useState(wish.request)
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <>
      <Asking
        makes={makes}
        video={video}
        wish={wish}
        request={request}
        isOpen={!isChoosing}
        onChoose={() => setIsChoosing(true)}
        onClose={onClose}
      />
      <MomentBoardDialog
        uploadRequestId={upload.uploadRequestId}
        request={isChoosing ? request : null}
        name={wish.name}
        footage={{ kind: 'video', video, served: null }}
        onApply={(chosen) => {
          setRequest(chosen)
          setIsChoosing(false)
        }}
        onClose={() => setIsChoosing(false)}
      />
    </>
  )
}

interface AskingProps {
  readonly makes: Makes
  readonly video: PreviewVideo
  readonly wish: Wish
  /** With the moments that were chosen meanwhile. */
  readonly request: TaskRequest
  readonly isOpen: boolean
  readonly onChoose: () => void
  readonly onClose: () => void
}

function Asking({ makes, video, wish, request, isOpen, onChoose, onClose }: AskingProps) {
  const { upload } = makes
  const rung = useMakeRungs(video, [request])(request)
  const attesting = useAttesting(upload.uploadRequestId, { uploadId: upload.id })
  const begin = useBegin({ makes, video, wish }, request, rung !== null && rung.kind !== 'server')
  const start = (mayWait: boolean) => {
    const confirmed = attesting.confirm()
    if (confirmed !== null) begin.start(confirmed.version !== null, mayWait)
  }
  return (
    <Dialog
      title={`Make ${wish.name}`}
      width="medium"
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onPress={onClose}>
            Cancel
          </Button>
          {rung?.kind === 'server' ? null : (
            <Button
              isBusy={begin.isStarting || begin.isWaiting || rung === null}
              onPress={() => start(true)}
            >
              Make it now
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="min-h-12">{rung === null ? 'One moment.' : introWords(rung, request)}</p>
        {begin.moments === null ? null : (
          <Moments
            moments={begin.moments}
            onChoose={onChoose}
            onGoOn={begin.isWaiting ? () => start(false) : null}
          />
        )}
        {attesting.box}
        {begin.refusal === null ? null : <Notice kind="warning" isLive title={begin.refusal} />}
      </div>
    </Dialog>
  )
}

function introWords(rung: MakeRung, { mediaJobTaskPresetSlug: slug }: TaskRequest): string {
  if (rung.kind === 'server') return rungWords(rung)
  const faces = findRecipe(slug)?.keepsOffFaces === true ? ` ${NO_FACES_WORDS}` : ''
  return `${rungWords(rung)} It takes no tokens.${faces}`
}

function Moments({
  moments,
  onChoose,
  onGoOn,
}: {
  readonly moments: NonNullable<Begin['moments']>
  readonly onChoose: () => void
  /** Begins without the search that it waits for; null where it waits for none. */
  readonly onGoOn: (() => void) | null
}) {
  return (
    // The words change while a finger is on the button, which must not move from under it. On
    // phones the dialog stands on the bottom and grows upwards, so the button is below the words;
    // elsewhere it has a column of its own, and two lines of words have room at any time.
    <div className="grid items-start justify-items-start gap-x-3 gap-y-2 rounded-control bg-surface-sunken px-4 py-2 text-ink sm:grid-cols-[1fr_auto]">
      <span className="min-w-0 sm:min-h-12">{momentWords(moments, onGoOn !== null)}</span>
      {onGoOn === null ? (
        <Button variant="secondary" size="small" onPress={onChoose}>
          Choose moments
        </Button>
      ) : (
        <Button variant="secondary" size="small" onPress={onGoOn}>
          Do not wait
        </Button>
      )}
    </div>
  )
}

const EVEN = 'Moments spread evenly over your video.'

function momentWords(moments: NonNullable<Begin['moments']>, isWaiting: boolean): string {
  if (moments === 'chosen') return 'Moments chosen by you.'
  if (moments === 'of-server') return 'Moments that Onecut found in your video.'
  switch (moments.kind) {
    case 'none':
      return EVEN
    case 'looking':
      return `Your device looks for good moments: ${percent(moments.share)}.${isWaiting ? ' Then it begins.' : ''}`
    case 'found':
      return moments.found.isQuick
        ? 'Moments that your device found by a quick choice.'
        : 'Moments that your device found in your video.'
    case 'cannot':
      return `${EVEN} ${whyNotFound(moments.why)}`
  }
}

/** An edit that is being made, or was; what was given up is no more. */
function MadeSubject({
  makes,
  id,
  name,
}: {
  readonly makes: Makes
  readonly id: string
  readonly name: string
}) {
  const made = useMadeEdits()
  if (made.kind !== 'ready') return null
  const row = made.value.find((each) => each.id === id)
  if (row === undefined) return <p>Nothing was made, and nothing of it was kept.</p>
  const { making } = makes
  switch (row.state.kind) {
    case 'making':
      return making?.id === id ? (
        <MakeProgress making={making} name={name} />
      ) : (
        <p>Another tab of this browser makes it.</p>
      )
    case 'ready':
      return (
        <div className="flex flex-col gap-3">
          <MadeFiles row={row} />
          <p className="text-sm">It is on this device only. You find it again in My Edits.</p>
        </div>
      )
    case 'failed':
      return (
        <div className="flex flex-col items-start gap-3">
          <Notice kind="warning" isLive title={failedWords(row)} />
          {row.kept == null ? null : <MakeAgain row={row} video={makes.video} />}
        </div>
      )
    case 'gone':
      return <Notice kind="warning" isLive title={GONE_WORDS} />
  }
}
