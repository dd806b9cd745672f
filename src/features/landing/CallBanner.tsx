import type { ReactNode } from 'react'
import { SignUpLink } from './SignUpLink.tsx'
import { classNames } from '#src/ui/class-names.ts'

type Look = 'scene' | 'plain' | 'night'

const LOOKS: Readonly<Record<Look, { readonly box: string; readonly text: string }>> = {
  scene: { box: 'bg-[#140f2c] text-white', text: 'text-white/90' },
  plain: { box: 'border border-accent-line bg-accent-soft', text: 'text-ink-muted' },
  night: { box: 'bg-[#0d1424] text-white', text: 'text-white/90' },
}

/** A banner that asks for one thing: to sign up. */
export function CallBanner({
  id,
  title,
  button,
  look,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly button: string
  readonly look: Look
  readonly children: ReactNode
}) {
  const { box, text } = LOOKS[look]
  return (
    <section
      aria-labelledby={id}
      className="laid-out-late [--late-narrow:21.4rem] [--late-wide:20.5rem] mx-auto w-full max-w-content px-4 sm:px-6 lg:px-8"
    >
      <div
        className={classNames(
          'relative isolate overflow-hidden rounded-3xl px-6 py-14 text-center sm:px-16 sm:py-20',
          box,
        )}
      >
        {look === 'plain' ? null : <Scene name={look} />}
        <h2 id={id} className="text-3xl font-bold sm:text-4xl">
          {title}
        </h2>
        <p className={classNames('mx-auto mt-4 max-w-xl text-lg', text)}>{children}</p>
        <SignUpLink className="mt-8">{button}</SignUpLink>
      </div>
    </section>
  )
}

/** A picture far enough in the dark that words on it can be read. */
function Scene({ name }: { readonly name: string }) {
  return (
    <>
      <img
        src={`/landing/banner-${name}.webp`}
        alt=""
        loading="lazy"
        decoding="async"
        width={1280}
        height={480}
        className="absolute inset-0 -z-20 size-full object-cover"
      />
      <div aria-hidden className="absolute inset-0 -z-10 bg-black/55" />
    </>
  )
}
