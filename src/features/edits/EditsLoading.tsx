import { Skeleton } from '#src/ui/Skeleton.tsx'

/** In the place of the cards while nothing of the library is known. */
export function EditsLoading() {
  return (
    <div className="flex flex-col gap-4" role="status" aria-label="Loading your edits">
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  )
}
