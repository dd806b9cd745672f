import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { Disclosure } from '#src/ui/Disclosure.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { CoreSource } from './CoreSource.tsx'
import { readLicences, type Licences } from './read-licences.ts'

/** `/licences`: the software of others, its licences, and the source of the ffmpeg core. Public. */
export function LicencesScreen() {
  const found = useQuery({
    queryKey: ['licences'],
    queryFn: ({ signal }) => readLicences(signal),
    // The file belongs to the build that runs.
    staleTime: Infinity,
  })
  return (
    <Page
      title="Licences"
      lead="The software of others that Onecut is built on, and the terms under which it is used."
    >
      <meta name="robots" content="noindex" />
      <div className="flex flex-col gap-10">
        {found.data === undefined ? (
          <NotThere
            hasFailed={found.isError}
            isFetching={found.isFetching}
            onAgain={() => void found.refetch()}
          />
        ) : (
          <Lists licences={found.data} />
        )}
        <Files />
      </div>
    </Page>
  )
}

function Lists({ licences }: { readonly licences: Licences }) {
  const { packages, coreParts } = licences
  return (
    <>
      <CoreSource parts={coreParts} />
      <Packages
        title="In the app that your browser runs"
        packages={packages.filter(({ reaches }) => reaches === 'browser')}
      />
      <Packages
        title="Also on the server"
        packages={packages.filter(({ reaches }) => reaches === 'server')}
      >
        The server also runs ffmpeg as a separate program, which its operator chooses and installs.
      </Packages>
    </>
  )
}

function Packages({
  title,
  packages,
  children,
}: {
  readonly title: string
  readonly packages: Licences['packages']
  readonly children?: ReactNode
}) {
  return (
    <section>
      <h2 className="text-2xl font-bold">{title}</h2>
      {children === undefined ? null : (
        <p className="mt-3 max-w-prose text-ink-muted">{children}</p>
      )}
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {packages.map((one, index) => (
          <PackageLine key={`${index} ${one.name}`} package={one} />
        ))}
      </ul>
    </section>
  )
}

/** The text is made when it is opened: all of them are half a megabyte. */
function PackageLine({
  package: { name, version, licence, text },
}: {
  readonly package: Licences['packages'][number]
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <Disclosure
        isExpanded={isOpen}
        onExpandedChange={setOpen}
        title={
          <span className="flex flex-wrap items-baseline gap-x-3">
            <span className="wrap-anywhere">{[name, version ?? ''].join(' ').trim()}</span>
            <span className="text-sm font-normal text-ink-muted">{licence}</span>
          </span>
        }
      >
        {isOpen ? (
          <pre className="mb-4 max-w-full rounded-control bg-surface-sunken p-4 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
            {text}
          </pre>
        ) : null}
      </Disclosure>
    </li>
  )
}

function NotThere({
  hasFailed,
  isFetching,
  onAgain,
}: {
  readonly hasFailed: boolean
  readonly isFetching: boolean
  readonly onAgain: () => void
}) {
  if (!hasFailed)
    return (
      <div role="status" aria-label="Loading the licences">
        <Skeleton className="h-96" />
      </div>
    )
  return (
    <Notice
      kind="error"
      isLive
      title="The licences could not be loaded"
      action={
        <Button variant="secondary" onPress={onAgain} isBusy={isFetching}>
          Try Again
        </Button>
      }
    >
      They come from the server, so this page needs a connection.
    </Notice>
  )
}

/** Documents of the server, not pages of the app. */
function Files() {
  return (
    <section>
      <h2 className="text-2xl font-bold">As files</h2>
      <ul className="mt-3 list-disc space-y-2 pl-5 text-ink-muted">
        <li>
          <FileLink href="/licences.txt">All licences as one text</FileLink>
        </li>
        <li>
          <FileLink href="/sbom.cdx.json">
            The packages in the app as a bill of materials (CycloneDX, JSON)
          </FileLink>
        </li>
      </ul>
    </section>
  )
}

function FileLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className="font-medium text-accent underline underline-offset-4"
    >
      {children}
    </a>
  )
}
