import { JobThumbnail } from '#src/components/JobThumbnail.tsx'
import { lengthWords } from '#src/components/time-words.ts'
import { onlyWords } from '#src/components/trim-words.ts'
import { useUploadByRequestId } from '#src/hooks/use-upload.ts'
import type { MediaJob } from '#src/hooks/use-library.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/**
 * Which video the edits of an order are made from: picture, name and length. Keeps its place while
 * the job is not known.
 */
export function OrderedVideo({ job }: { readonly job: MediaJob | null }) {
  return (
    <div className="mt-4 flex min-h-13.5 items-center gap-4">
      {job === null ? <Skeleton className="h-13.5 w-full" /> : <Video job={job} />}
    </div>
  )
}

function Video({ job }: { readonly job: MediaJob }) {
  const trim = useUploadByRequestId(job.uploadRequestId)?.trim
  return (
    <>
      <JobThumbnail
        mediaJobId={job._id}
        className="w-24 max-w-2/5 shrink-0 rounded-lg"
        iconClassName="size-5"
      />
      <p className="min-w-0">
        <span className="line-clamp-2 leading-snug font-medium wrap-anywhere" title={job.name}>
          {job.name}
        </span>
        {job.videoDuration === null ? null : (
          <span className="text-sm text-ink-muted tabular-nums">
            {lengthWords(job.videoDuration)}
            {trim === undefined ? null : `, ${onlyWords(trim)} of the file`}
          </span>
        )}
      </p>
    </>
  )
}
