import { useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  VIDEO_ACCEPT,
  VIDEO_PICKER_TYPES,
  isVideoType,
} from '#src/components/uploads/video-types.ts'
import { paths } from '#src/config/paths.ts'
import { adoptRefusalCopy } from '#src/components/upload-words/failure-copy.ts'
import { useUpload } from '#src/hooks/uploads/use-upload.ts'
import { useUploadCommands } from '#src/hooks/uploads/use-upload-commands.ts'
import { UploadControls } from '#src/components/uploads/UploadControls.tsx'
import { UploadProgress } from '#src/components/uploads/UploadProgress.tsx'
import { Button } from '#src/ui/Button.tsx'
import { DropZone } from '#src/ui/DropZone.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { useFileDrop } from '#src/ui/use-file-drop.ts'
import { TrimEditor } from '#src/features/upload/trim/TrimEditor.tsx'
import { TrimLine } from '#src/features/upload/trim/TrimLine.tsx'
import { useTrimChoice } from '#src/features/upload/trim/use-trim-choice.ts'
import { mayBeCut, useTrimPlaces } from '#src/features/upload/trim/use-trim-places.ts'
import { CHOOSE_WORDS } from './choose-words.tsx'
import type { VideoChoice, ChooseVideo } from './use-choose-video.ts'
import { VerdictCard } from './VerdictCard.tsx'

/** The upload card (UPL-01, UPL-02): choose a video, read what the check says, watch it start. */
export function UploadCard({ choose }: { readonly choose: ChooseVideo }) {
  const { choice } = choose
  const [hasChosen, setHasChosen] = useState(false)
  if (!hasChosen && choice.kind !== 'none') setHasChosen(true)
  switch (choice.kind) {
    case 'none':
      return <ChooseZone choose={choose} isBack={hasChosen} />
    case 'refused':
      return <Refused choice={choice} choose={choose} />
    case 'checking':
      return (
        <ChosenVideo choice={{ file: choice.file, report: null, notices: [] }} choose={choose}>
          <p role="status" className="flex items-center gap-3 font-medium">
            <Spinner />
            Checking your video on this device
          </p>
          <Button variant="quiet" onPress={choose.reset}>
            Cancel
          </Button>
        </ChosenVideo>
      )
    case 'checked':
      return <CheckedVideo choice={choice} choose={choose} />
    case 'started':
      return (
        <ChosenVideo choice={choice} choose={choose}>
          <Started uploadId={choice.uploadId} />
        </ChosenVideo>
      )
  }
}

/** A video that waits for an answer to its findings; until then it can be cut. */
function CheckedVideo({
  choice,
  choose,
}: {
  readonly choice: Checked
  readonly choose: ChooseVideo
}) {
  const { whole, uploadId, report, trim } = choice
  const video = useTrimPlaces(uploadId, mayBeCut(report) ? async () => whole : null)
  const trimming = useTrimChoice(
    video === null
      ? null
      : { ...video, name: whole.name, trim, arrivedBytes: 0, onChoose: choose.setTrim },
  )
  return (
    <ChosenVideo
      choice={choice}
      choose={choose}
      aside={<TrimLine trim={trim} choice={trimming} className="mt-3 -mb-2" />}
    >
      <TrimEditor choice={trimming} />
      <div className="flex flex-wrap gap-3">
        <GoOnWithEarlier choice={choice} onLeave={choose.reset} />
        <Button
          variant={earlierOf(choice) === null ? 'primary' : 'secondary'}
          onPress={choose.start}
        >
          {choice.asks ? 'Upload anyway' : 'Upload'}
        </Button>
        <Button variant="secondary" onPress={choose.reset}>
          Choose another file
        </Button>
      </div>
    </ChosenVideo>
  )
}

function ChosenVideo({
  choice: { file, report, notices },
  choose: { poster, isPosterMissing },
  aside,
  children,
}: {
  readonly choice: Pick<Checked, 'file' | 'report' | 'notices'>
  readonly choose: ChooseVideo
  readonly aside?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <VerdictCard
      name={file.name}
      sizeBytes={file.size}
      report={report}
      poster={poster}
      isPosterMissing={isPosterMissing}
      notices={notices}
      aside={aside}
    >
      {children}
    </VerdictCard>
  )
}

function Started({ uploadId }: { readonly uploadId: string }) {
  const row = useUpload(uploadId)
  if (row === null || row === undefined || row.state.kind === 'draft')
    return (
      <p role="status" className="flex items-center gap-3 font-medium">
        <Spinner />
        Starting your upload
      </p>
    )
  return (
    <div className="flex flex-col gap-4">
      <UploadProgress row={row} />
      <UploadControls row={row} />
    </div>
  )
}

type Checked = Extract<VideoChoice, { kind: 'checked' }>

/** An upload of the same video, which can be used instead of sending it again. */
function earlierOf({ notices }: Checked) {
  const facts = notices.find(({ ruleId }) => ruleId === 'B8')?.facts ?? {}
  const { uploadRequestId, safeBytes, arrived } = facts
  return typeof uploadRequestId === 'string'
    ? { uploadRequestId, safeBytes, hasArrived: arrived === 'whole' }
    : null
}

/** Goes on with an earlier upload of the same video. */
function GoOnWithEarlier({
  choice,
  onLeave,
}: {
  readonly choice: Checked
  readonly onLeave: () => void
}) {
  const navigate = useNavigate()
  const commands = useUploadCommands()
  const toasts = useToasts()
  const [isBusy, setIsBusy] = useState(false)
  const earlier = earlierOf(choice)
  if (earlier === null) return null
  const { whole: file, handle } = choice
  const { uploadRequestId, safeBytes, hasArrived } = earlier
  const goOn = async () => {
    setIsBusy(true)
    try {
      // Only of uploads elsewhere it is known how much has arrived.
      if (safeBytes === undefined) await commands.giveAgain(uploadRequestId, file, handle)
      else {
        const taken = await commands.continueElsewhere(uploadRequestId, file, handle)
        if (!taken.ok) {
          toasts.show('error', adoptRefusalCopy(taken.error, file.name).title)
          return
        }
      }
    } finally {
      setIsBusy(false)
    }
    onLeave()
    await navigate(paths.newMediaJob(uploadRequestId))
  }
  return (
    <Button onPress={() => void goOn()} isBusy={isBusy}>
      {hasArrived ? 'Use that upload' : 'Continue that upload'}
    </Button>
  )
}

/** A refused file; the next one can be dropped right away. */
function Refused({
  choice,
  choose,
}: {
  readonly choice: Extract<VideoChoice, { kind: 'refused' }>
  readonly choose: ChooseVideo
}) {
  useFileDrop({
    isDisabled: false,
    maxFiles: 1,
    isTypeAccepted: isVideoType,
    onChoose: choose.choose,
    target: null,
  })
  return (
    <Notice
      kind="error"
      isLive
      title={choice.title}
      action={<Button onPress={choose.reset}>Choose another file</Button>}
    >
      <span className="block font-medium text-ink">{choice.file.name}</span>
      {choice.body}
    </Notice>
  )
}

function ChooseZone({
  choose,
  isBack,
}: {
  readonly choose: ChooseVideo
  /** After another choice. */ readonly isBack: boolean
}) {
  return (
    <DropZone
      buttonText={CHOOSE_WORDS.button}
      title={CHOOSE_WORDS.title}
      hint={CHOOSE_WORDS.hint}
      accept={VIDEO_ACCEPT}
      pickerTypes={VIDEO_PICKER_TYPES}
      isTypeAccepted={isVideoType}
      isWholeWindow
      isFocusTaken={isBack}
      acceptText="Drop to upload"
      rejectText="Only video files are accepted"
      onChoose={choose.choose}
    />
  )
}
