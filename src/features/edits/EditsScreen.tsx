import { Clapperboard, SearchX, Upload } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { ShowHidden } from '#src/components/jobs/ShowHidden.tsx'
import { SEARCH_BOX_FROM_ITEMS } from '#spec/numbers.ts'
import { paths } from '#src/config/paths.ts'
import { useLibrary, type LibraryEntry, type ShownLibrary } from '#src/hooks/edits/use-library.ts'
import { useMadeEdits } from '#src/hooks/edits/use-made-edits.ts'
import { useWaitingNames, type WaitingName } from '#src/hooks/sync/use-outbox.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useSeenNotices } from '#src/hooks/device/use-pushes.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { HOUR_MS } from '#src/lib/time.ts'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { arrangeLibrary } from './arrange-library.ts'
import { EditsLoading } from './EditsLoading.tsx'
import { EDITS_LEAD, EDITS_TITLE } from './EditsShell.tsx'
import { EditList, type EditListProps } from './EditList.tsx'
import {
  EVERYTHING,
  isNarrowed,
  isSearchShown,
  queryOf,
  readLibraryAddress,
  writeLibraryAddress,
  type LibraryAddress,
} from './library-address.ts'
import { findMade } from './made/find-made.ts'
import { MadeEdits } from './made/MadeEdits.tsx'
import { LibraryControls } from './LibraryControls.tsx'
import { useLibraryAddress } from './use-library-address.ts'

/** `/edits`: every edit, first from the rows on this device, then as the server has it. */
export function EditsScreen() {
  const { shown, asked, show } = useLibraryAddress()
  useSeenNotices()
  const library = useLibrary(queryOf(asked))
  const waitingNames = useWaitingNames()
  const data = useMemo(
    () => library.data?.map((entry) => renamed(entry, waitingNames)) ?? null,
    [library.data, waitingNames],
  )
  const known = useMemo(() => surveyOf(data ?? []), [data])
  const count = library.data?.length ?? 0
  const madeHere = useMadeEdits()
  const nowEpochMs = useNow(HOUR_MS)
  const made = madeHere.kind === 'ready' ? madeHere.value : []
  const foundMade = findMade(made, shown, nowEpochMs)
  const isEmpty = count === 0 && made.length === 0 && shown.search === ''
  return (
    <Page
      title={EDITS_TITLE}
      lead={isEmpty && library.status !== 'failed' ? EDITS_LEAD : undefined}
      actions={
        isEmpty ? undefined : (
          <LinkButton to={paths.newUpload}>
            <Upload aria-hidden className="size-4.5" />
            Upload a Video
          </LinkButton>
        )
      }
    >
      {isSearchShown(count, shown, SEARCH_BOX_FROM_ITEMS) ? (
        <LibraryControls
          address={shown}
          formats={known.formats}
          videoName={shown.video === null ? null : (known.videoNames.get(shown.video) ?? '')}
          onChange={show}
        />
      ) : null}
      <PullFailure
        // Edits that this device made are something to show, though nothing was ever pulled.
        pull={foundMade.length > 0 ? { ...library, data: library.data ?? [] } : library}
        title={failureTitle(library, asked.search)}
        className="mb-6"
      />
      <MadeEdits rows={foundMade} />
      <Library
        hasMade={foundMade.length > 0}
        library={{ ...library, data }}
        address={shown}
        known={{ ...known, waitingNames }}
        onShowAll={() => show({ ...EVERYTHING, sort: shown.sort })}
      />
      <ShowHidden words="Show hidden" />
    </Page>
  )
}

interface LibraryProps {
  /** Edits that this device made are shown above. */
  readonly hasMade: boolean
  readonly library: ShownLibrary
  readonly address: LibraryAddress
  readonly known: Pick<EditListProps, 'sharedNames' | 'waitingNames'> & {
    readonly videoNames: ReadonlyMap<string, string>
  }
  readonly onShowAll: () => void
}

function Library({ hasMade, library, address, known, onShowAll }: LibraryProps) {
  const { sharedNames, waitingNames, videoNames } = known
  const isOnline = useOnline()
  const nowEpochMs = useNow(HOUR_MS)
  // A key press is shown before the list has followed it.
  const wanted = useDeferredValue(writeLibraryAddress(address).toString())
  const { data } = library
  const videos = useMemo(
    () => arrangeLibrary(data ?? [], readLibraryAddress(new URLSearchParams(wanted)), nowEpochMs),
    [data, wanted, nowEpochMs],
  )
  if (data === null) {
    return library.status === 'failed' ? null : <EditsLoading />
  }
  return (
    <>
      {videos.length === 0 && !hasMade ? (
        <EmptyLibrary library={library} address={address} onShowAll={onShowAll} />
      ) : null}
      {videos.length === 0 ? null : (
        <>
          {isNarrowed(address) ? <CountOf shown={videos.length} of={videoNames.size} /> : null}
          <EditList
            videos={videos}
            pulledIds={library.pulledIds}
            isOnline={isOnline}
            {...{ sharedNames, waitingNames }}
          />
        </>
      )}
      {library.hasMore ? (
        <div className="mt-6 text-center">
          <Button variant="secondary" onPress={library.loadMore} isBusy={library.isLoadingMore}>
            Load More
          </Button>
        </div>
      ) : null}
    </>
  )
}

function CountOf({ shown, of }: { readonly shown: number; readonly of: number }) {
  return (
    <p role="status" className="mb-4 text-sm text-ink-muted tabular-nums">
      {shown.toLocaleString('en-US')} of {of.toLocaleString('en-US')} videos on this device
    </p>
  )
}

function EmptyLibrary({
  library,
  address,
  onShowAll,
}: Pick<LibraryProps, 'library' | 'address' | 'onShowAll'>) {
  const { search } = address
  // The server may have what the device has not.
  if (isNarrowed(address) && library.isFetching) return <Skeleton className="h-44" />
  if (search !== '')
    return (
      <EmptyState icon={<SearchX />} title={`Nothing found for “${search}”`}>
        Try a shorter part of the name.
      </EmptyState>
    )
  if (isNarrowed(address))
    return (
      <EmptyState
        icon={<SearchX />}
        title="No such edits on this device"
        action={
          <Button variant="secondary" onPress={onShowAll}>
            Show all edits
          </Button>
        }
      >
        {library.hasMore
          ? 'Older edits are looked through when you load more of them.'
          : 'Choose another state, date or format.'}
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
    />
  )
}

/** What of all entries the controls and cards need to know. */
function surveyOf(entries: readonly LibraryEntry[]) {
  const videoNames = new Map(entries.map(({ uploadRequestId, name }) => [uploadRequestId, name]))
  return {
    sharedNames: repeatedOf([...videoNames.values()]),
    formats: [...new Set(entries.flatMap(({ formats }) => formats))].toSorted(),
    videoNames,
  }
}

function repeatedOf(texts: readonly string[]): ReadonlySet<string> {
  const once = new Set<string>()
  return new Set(texts.filter((text) => once.size === once.add(text).size))
}

/** An entry by the name that the person gave it, also before the server has it. */
function renamed(
  entry: LibraryEntry,
  waitingNames: ReadonlyMap<string, WaitingName>,
): LibraryEntry {
  const waiting = waitingNames.get(entry.uploadRequestId)
  return waiting === undefined || waiting.isRefused ? entry : { ...entry, name: waiting.name }
}

/** What failed, by what was asked for last. */
function failureTitle(library: ShownLibrary, search: string): string {
  if (search !== '') return 'Failed to search uploads'
  return library.data !== null && library.hasMore
    ? 'Failed to load more results'
    : 'Error loading edits'
}
