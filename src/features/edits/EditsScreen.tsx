import { Clapperboard, SearchX, Upload } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { PullFailure } from '#src/components/PullFailure.tsx'
import { SEARCH_BOX_FROM_ITEMS } from '#spec/numbers.ts'
import { paths } from '#src/config/paths.ts'
import { useMediaJobs, type ShownJobs } from '#src/hooks/use-media-jobs.ts'
import { useOnline } from '#src/hooks/use-online.ts'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { EditCard } from './EditCard.tsx'
import {
  isSearchShown,
  libraryQuery,
  readLibraryAddress,
  writeLibraryAddress,
  type LibraryAddress,
} from './library-address.ts'
import { LibraryControls } from './LibraryControls.tsx'

/** `/edits`: every edit, first from the rows on this device, then as the server has it. */
export function EditsScreen() {
  const [params, setParams] = useSearchParams()
  const address = readLibraryAddress(params)
  const jobs = useMediaJobs(libraryQuery(address))
  const isOnline = useOnline()
  const change = (next: LibraryAddress) => setParams(writeLibraryAddress(next), { replace: true })
  const count = jobs.data?.length ?? 0
  return (
    <Page
      title="Your Edits"
      actions={
        count === 0 && address.search === '' ? undefined : (
          <LinkButton to={paths.newUpload}>
            <Upload aria-hidden className="size-4.5" />
            Upload a Video
          </LinkButton>
        )
      }
    >
      {isSearchShown(count, address, SEARCH_BOX_FROM_ITEMS) ? (
        <LibraryControls address={address} onChange={change} />
      ) : null}
      <PullFailure pull={jobs} title={failureTitle(jobs, address.search)} className="mb-6" />
      <Library jobs={jobs} search={address.search} isOnline={isOnline} />
    </Page>
  )
}

function Library({
  jobs,
  search,
  isOnline,
}: {
  readonly jobs: ShownJobs
  readonly search: string
  readonly isOnline: boolean
}) {
  if (jobs.data === null) {
    return jobs.status === 'failed' ? null : (
      <div className="flex flex-col gap-4" role="status" aria-label="Loading your edits">
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
      </div>
    )
  }
  if (jobs.data.length === 0) return <EmptyLibrary search={search} />
  return (
    <>
      <ul className="flex flex-col gap-4">
        {jobs.data.map((job, index, all) => (
          <EditCard
            key={job._id}
            job={job}
            isOnline={isOnline}
            isNameShared={all.some((other, at) => at !== index && other.name === job.name)}
          />
        ))}
      </ul>
      {jobs.hasMore ? (
        <div className="mt-6 text-center">
          <Button variant="secondary" onPress={jobs.loadMore} isBusy={jobs.isLoadingMore}>
            Load More
          </Button>
        </div>
      ) : null}
    </>
  )
}

function EmptyLibrary({ search }: { readonly search: string }) {
  if (search !== '')
    return (
      <EmptyState icon={<SearchX />} title={`Nothing found for “${search}”`}>
        Try a shorter part of the name.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<Clapperboard />}
      title="Your edits will be here"
      action={
        <LinkButton to={paths.newUpload} size="large">
          <Upload aria-hidden className="size-5" />
          Upload a Video
        </LinkButton>
      }
    >
      Upload a video, choose your edits, and download them here when they are finished.
    </EmptyState>
  )
}

/** What failed, by what was asked for last. */
function failureTitle(jobs: ShownJobs, search: string): string {
  if (search !== '') return 'Failed to search uploads'
  return jobs.data !== null && jobs.hasMore ? 'Failed to load more results' : 'Error loading edits'
}
