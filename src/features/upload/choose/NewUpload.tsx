import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { useDeferredValue, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { useKeepEngine } from './use-keep-engine.ts'
import { previewChosen, type PreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useUpload } from '#src/hooks/uploads/use-upload.ts'
import { useUploadList } from './use-upload-list.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { FormatPicker } from '#src/features/upload/formats/FormatPicker.tsx'
import { offeredPresets } from '#src/features/upload/formats/offered-presets.ts'
import { NOTHING_CHOSEN } from '#src/features/upload/formats/selection.ts'
import { CHOOSE_COLUMNS, CHOOSE_WORDS } from './choose-words.tsx'
import { DriveArrived } from './DriveArrived.tsx'
import { ImportsUnderWay } from './ImportsUnderWay.tsx'
import { OtherSources } from './OtherSources.tsx'
import { SharedFiles } from './SharedFiles.tsx'
import { RecentUploads } from './RecentUploads.tsx'
import { UnfinishedUploads } from './UnfinishedUploads.tsx'
import { UploadCard } from './UploadCard.tsx'
import { TokensToSpend } from './TokensToSpend.tsx'
import { UploadsElsewhere } from './UploadsElsewhere.tsx'
import { knownOf, type KnownVideo } from '#src/features/upload/formats/unmet-needs.ts'
import { useChooseVideo } from './use-choose-video.ts'

/**
 * The first step: the upload card, and beside it what can be made from the video. Leads to the next
 * step once the upload has its id.
 */
export function NewUpload() {
  const choose = useChooseVideo()
  const uploads = useUploadList()
  const navigate = useNavigate()
  const { choice } = choose
  useKeepEngine(choice.kind === 'none')
  // Asked before a file is chosen: how this server takes files, and how large its parts are.
  useCapabilities()
  const uploadId = choice.kind === 'started' ? choice.uploadId : null
  const uploadRequestId = useUpload(uploadId)?.uploadRequestId ?? null
  const [isPreviewing, setIsPreviewing] = useState(false)
  // The next step waits until an open preview is closed.
  const nextId = isPreviewing ? null : uploadRequestId
  useEffect(() => {
    if (nextId !== null) void navigate(paths.newMediaJob(nextId))
  }, [navigate, nextId])
  const chosen = choice.kind === 'checked' || choice.kind === 'started' ? choice : null
  return (
    <>
      <DriveArrived />
      <UnfinishedUploads exceptId={uploadId} />
      <div className={CHOOSE_COLUMNS}>
        {/* Before the catalogue, which is long and on phones below. */}
        <div className="grid gap-6">
          {choice.kind === 'none' ? <SharedFiles onChoose={choose.choose} /> : null}
          <div>
            <UploadCard choose={choose} />
            {choice.kind === 'none' ? <OtherSources /> : null}
            <TokensToSpend />
          </div>
          {/* Both at once: the first of them would push the second away. */}
          {uploads.data === null && uploads.status !== 'failed' ? (
            <div role="status" aria-label="Loading your uploads">
              <Skeleton className="h-64" />
            </div>
          ) : (
            <>
              <ImportsUnderWay uploads={uploads.data ?? []} />
              <UploadsElsewhere uploads={uploads.data ?? []} />
              <RecentUploads uploads={uploads} />
            </>
          )}
        </div>
        <FormatPreview
          video={knownOf(chosen?.report ?? null)}
          source={
            chosen === null ? null : previewChosen(chosen.file, chosen.uploadId, chosen.report)
          }
          onPreviewing={setIsPreviewing}
        />
      </div>
    </>
  )
}

interface FormatPreviewProps {
  readonly video: KnownVideo
  readonly source: PreviewSource | null
  readonly onPreviewing: (isPreviewing: boolean) => void
}

function FormatPreview({ video, source, onPreviewing }: FormatPreviewProps) {
  const presets = usePresets()
  // In steps, between which the page answers: at once it blocks a phone for 100 ms, so for 57.
  const shown = useDeferredValue(presets.data)
  const offered = offeredPresets(shown ?? [])
  return (
    <section aria-labelledby="format-preview">
      <h2 id="format-preview" className="mb-4 text-xl font-semibold">
        {CHOOSE_WORDS.preview}
      </h2>
      <Notice className="mb-5">{CHOOSE_WORDS.previewHint}</Notice>
      {shown === null && (presets.data !== null || presets.status === 'nothing-yet') ? (
        <Skeleton className="h-[100dvh]" />
      ) : null}
      {presets.data === null ? (
        <PullFailure pull={presets} title="Unable to fetch media job task presets" />
      ) : null}
      {offered.length === 0 ? null : (
        <FormatPicker
          presets={offered}
          video={video}
          selection={NOTHING_CHOSEN}
          onEvent={null}
          isNarrow
          previewSource={source}
          onPreviewing={onPreviewing}
        />
      )}
    </section>
  )
}
