import { JobThumbnail } from '#src/components/jobs/JobThumbnail.tsx'
import { videoLengthWords } from '#src/components/upload-words/trim-words.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/**
 * Which video the edits of an order are made from: picture, name and length. Keeps its place while
 * the job is not known.
 */
export function OrderedVideo({ job }: { readonly job: MediaJob | null }) {
  return (
    <div className="mt-4 flex min-h-13.5 flex-wrap items-center gap-4">
      {job === null ? <Skeleton className="h-13.5 w-full" /> : <Video job={job} />}
    </div>
  )
}

function Video({ job }: { readonly job: MediaJob }) {
  const length = videoLengthWords(job)
  return (
    <>
      <JobThumbnail
        mediaJobId={job._id}
        name={job.name}
        className="w-24 max-w-2/5 shrink-0 rounded-lg"
        iconClassName="size-5"
      />
      <p className="min-w-0 flex-1 basis-28">
        <span className="line-clamp-2 leading-snug font-medium wrap-anywhere" title={job.name}>
          {job.name}
        </span>
        {length === null ? null : (
          <span className="text-sm text-ink-muted tabular-nums">{length}</span>
        )}
      </p>
    </>
  )
}
