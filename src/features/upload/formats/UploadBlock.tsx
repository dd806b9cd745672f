import { CircleCheck, Film } from 'lucide-react'
import { ListPicture } from '#src/components/pictures/ListPicture.tsx'
import { useLooks } from '#src/components/pictures/use-looks.ts'
import { Filmstrip } from '#src/components/uploads/Filmstrip.tsx'
import { CHECK_LATE, NOT_VALIDATED_YET } from '#src/components/upload-words/state-copy.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import { onlyWords } from '#src/components/upload-words/trim-words.ts'
import { UploadControls } from '#src/components/uploads/UploadControls.tsx'
import { UploadProgress } from '#src/components/uploads/UploadProgress.tsx'
import { useUploadPoster } from '#src/hooks/uploads/use-upload.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { mergeFindings } from '#checks/merge-findings.ts'
import { namingSound } from '#checks/tracks.ts'
import { useTakenSound, useUploadSounds } from '#src/hooks/uploads/use-upload-sounds.ts'
import { useArrivalFindings } from './use-upload-findings.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { withSound } from '#src/local/probe/with-sound.ts'
import type { Finding } from '#src/local/probe/report.ts'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { DiscardElsewhere } from '#src/components/uploads/DiscardElsewhere.tsx'
import { ImportProgress } from '#src/features/upload/imports/ImportProgress.tsx'
import { ContinueElsewhere } from '#src/components/uploads/ContinueElsewhere.tsx'
import { Findings } from '#src/features/upload/Findings.tsx'
import { VideoFacts } from '#src/features/upload/VideoFacts.tsx'
import type { RemoteUpload } from '#src/features/upload/upload-queries.ts'
import { TrimEditor } from '#src/features/upload/trim/TrimEditor.tsx'
import { TrimLine } from '#src/features/upload/trim/TrimLine.tsx'
import { useTrimUpload } from '#src/features/upload/trim/use-trim-upload.ts'
import { SoundChoice } from './SoundChoice.tsx'
import { UploadProof } from './UploadProof.tsx'

/**
 * This device's upload of the video for which edits are being chosen: the findings of its check and
 * its progress.
 */
export function UploadBlock({ row }: { readonly row: UploadRow }) {
  const poster = useUploadPoster(row.id)
  const looks = useLooks()
  const sound = useTakenSound(row.uploadRequestId)
  const trimming = useTrimUpload(row)
  const report =
    row.probe === null || sound === null ? row.probe : withSound(row.probe, sound.number - 1)
  return (
    <Card as="section" labelledBy="upload-block" isFlush className="mb-4 p-4 sm:mb-8 sm:p-7">
      {/* The place of the picture is kept, so that nothing moves when it is read. */}
      <div className="grid grid-cols-[min(6rem,30%)_minmax(0,1fr)] gap-x-[min(1rem,4vw)] gap-y-3 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <div className="relative grid aspect-video place-items-center self-start overflow-hidden rounded-control bg-surface-sunken text-ink-faint sm:row-span-2">
          <ListPicture
            picture={poster.kind === 'ready' ? poster.value : null}
            name={row.file.name}
            look={looks.ofUpload(row.id)}
            alt="First frame of the video"
            className="absolute inset-0 size-full object-contain"
            icon={<Film aria-hidden className="size-6" />}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-1 sm:gap-4">
          <h2
            id="upload-block"
            title={row.file.name}
            className="leading-snug font-semibold wrap-anywhere max-sm:line-clamp-3 sm:text-lg"
          >
            {row.file.name}
          </h2>
          <VideoFacts sizeBytes={row.file.sizeBytes} report={report} className="lg:grid-cols-5" />
          <TrimLine trim={row.trim ?? null} choice={trimming} className="sm:-my-2" />
        </div>
        <div className="col-span-2 sm:col-span-1 sm:col-start-2 sm:-mt-2">
          <Progress row={row} />
        </div>
      </div>
      {trimming?.step === 'open' ? (
        <div className="mt-5">
          <TrimEditor choice={trimming} />
        </div>
      ) : (
        <div className="mt-5 hidden empty:hidden sm:block">
          <Filmstrip uploadId={row.id} />
        </div>
      )}
      <UploadFindings row={row} />
      {row.uploadRequestId === null ? null : (
        <UploadSound row={row} uploadRequestId={row.uploadRequestId} />
      )}
    </Card>
  )
}

function Progress({ row }: { readonly row: UploadRow }) {
  switch (row.state.kind) {
    case 'done':
      return (
        <div>
          <p role="status" className="flex items-start gap-2 font-medium text-good">
            <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0" />
            Upload complete. Your video has been uploaded and is ready for editing
          </p>
          <UploadProof row={row} />
        </div>
      )
    case 'discarding':
      return (
        <div className="flex flex-wrap items-center gap-4">
          <p role="status" className="font-medium">
            Discarded
          </p>
          <UploadControls row={row} />
        </div>
      )
    default:
      return (
        <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_auto] xl:items-end">
          <UploadProgress row={row} />
          <UploadControls row={row} />
        </div>
      )
  }
}

interface RemoteUploadProps {
  readonly uploadRequestId: string
  readonly upload: RemoteUpload
}

/**
 * An upload that this device does not hold: begun on another device, in another browser, or here
 * before its data was deleted. While it takes parts, it can go on here. Also what the server
 * fetches from a link.
 */
export function RemoteUploadBlock({ uploadRequestId, upload }: RemoteUploadProps) {
  const sound = useTakenSound(uploadRequestId)
  const findings = sound?.known?.findings ?? upload.findings
  return (
    <Card as="section" labelledBy="upload-block" className="mb-8">
      <h2 id="upload-block" className="font-semibold wrap-break-word">
        {upload.name} <span className="font-normal text-ink-muted">{remoteFacts(upload)}</span>
      </h2>
      <Arrival uploadRequestId={uploadRequestId} upload={upload} />
      {upload.isFailed ? (
        <Notice kind="error" className="mt-4" title="This video could not be used">
          {upload.failureReason ?? 'Please upload another file.'}
        </Notice>
      ) : null}
      {findings.length === 0 ? null : (
        <div className="mt-4 flex flex-col gap-3">
          <Findings findings={findings} isLive={false} />
        </div>
      )}
      <RemoteSound uploadRequestId={uploadRequestId} upload={upload} />
    </Card>
  )
}

/** 'only 0:40 to 31:10 · 6.2 GB · 30:30', as far as it is known. */
function remoteFacts({ trim, sizeBytes, durationMs }: RemoteUpload): string {
  return [
    ...(trim === null ? [] : [onlyWords(trim)]),
    formatBytes(sizeBytes),
    ...(durationMs === null ? [] : [lengthWords(durationMs)]),
  ].join(' · ')
}

/** How far the file is, and what can be done about it. */
function Arrival({ uploadRequestId, upload }: RemoteUploadProps) {
  const { name, sizeBytes, open } = upload
  if (open?.fetching)
    return (
      <div className="mt-3 flex flex-col items-start gap-3">
        <ImportProgress
          uploadRequestId={uploadRequestId}
          name={name}
          sizeBytes={sizeBytes}
          open={open}
          fetching={open.fetching}
        />
        <DiscardElsewhere
          uploadRequestId={uploadRequestId}
          name={name}
          sizeBytes={sizeBytes}
          safeBytes={open.safeBytes}
        />
      </div>
    )
  return (
    <>
      <p role="status" className="mt-1 text-ink-muted">
        {arrivalWords(upload)}
      </p>
      {open === null ? null : (
        <div className="mt-2">
          <ContinueElsewhere
            uploadRequestId={uploadRequestId}
            name={name}
            sizeBytes={sizeBytes}
            open={open}
          />
        </div>
      )}
    </>
  )
}

function arrivalWords({ isCompleted, isValidated, isFailed, isCheckLate }: RemoteUpload): string {
  if (!isCompleted) return 'Upload not completed'
  if (isValidated || isFailed) return 'Upload completed'
  return isCheckLate ? CHECK_LATE : NOT_VALIDATED_YET
}

/** This device could not check the file; the server checks it when it arrives. */
const NOT_CHECKED: Finding = { ruleId: 'B10', verdict: 'warn', facts: {} }

/**
 * The findings of this device about an upload, with the server's once the video has arrived.
 * Renders nothing when there are none.
 */
function UploadFindings({ row }: { readonly row: UploadRow }) {
  const arrived = useArrivalFindings(row)
  const sound = useTakenSound(row.uploadRequestId)
  const found = mergeFindings(
    row.probe?.findings ?? [NOT_CHECKED],
    sound?.known?.findings ?? arrived,
  )
  const findings = sound === null ? found : namingSound(found, sound.number)
  return findings.length === 0 ? null : (
    <div className="mt-5 flex flex-col gap-3">
      <Findings findings={findings} isLive={false} />
    </div>
  )
}

/** The choice of the sound, as soon as the server knows of the upload. */
function UploadSound({
  row,
  uploadRequestId,
}: {
  readonly row: UploadRow
  readonly uploadRequestId: string
}) {
  const here = useUploadSounds({
    uploadRequestId,
    report: row.probe,
    findings: row.arrivalFindings ?? [],
    isArrived: row.state.kind === 'done',
  })
  return <SoundChoice here={here} />
}

/** The same of an upload that this device does not hold. */
function RemoteSound({ uploadRequestId, upload }: RemoteUploadProps) {
  const here = useUploadSounds({
    uploadRequestId,
    report: null,
    findings: upload.findings,
    isArrived: upload.isValidated,
  })
  return <SoundChoice here={here} />
}
