import type { ReactNode } from 'react'
import { paths } from '#src/config/paths.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** A banner that asks for one thing: to sign up. */
export function CallBanner({
  id,
  title,
  button,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly button: string
  readonly children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="mx-auto w-full max-w-content px-4 sm:px-6 lg:px-8">
      <div className="relative isolate overflow-hidden rounded-3xl bg-[#17132f] px-6 py-14 text-center text-white sm:px-16 sm:py-20">
        <div
          aria-hidden
          className="absolute inset-0 -z-10 bg-radial-[at_15%_0%] from-[#4f46e5]/80 via-[#4f46e5]/10 to-transparent"
        />
        <div
          aria-hidden
          className="absolute inset-0 -z-10 bg-radial-[at_90%_110%] from-[#a32bd6]/75 via-transparent to-transparent"
        />
        <h2 id={id} className="text-3xl font-bold sm:text-4xl">
          {title}
        </h2>
        <p className="mx-auto mt-4 max-w-xl text-lg text-white/80">{children}</p>
        <LinkButton to={paths.signUp} size="large" variant="secondary" className="mt-8">
          {button}
        </LinkButton>
      </div>
    </section>
  )
}
