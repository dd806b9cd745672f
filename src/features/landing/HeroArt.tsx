import { Check, Film, Images, ScanFace } from 'lucide-react'

const outputs = [
  { icon: Film, name: '15s teaser', note: '1080p · MP4' },
  { icon: Images, name: 'Social GIF pack', note: '3 GIFs and a loop' },
  { icon: ScanFace, name: 'Face blurring', note: 'Full scene' },
] as const

const frames = [
  'from-[#3a2f8f] to-[#7c3aed]',
  'from-[#5b21b6] to-[#c026d3]',
  'from-[#312e81] to-[#4f46e5]',
  'from-[#86198f] to-[#db2777]',
  'from-[#4c1d95] to-[#6366f1]',
] as const

/** Illustrates the idea: one scene goes in, three finished edits come out. Decorative. */
export function HeroArt() {
  return (
    <div aria-hidden className="relative mx-auto w-full max-w-md lg:max-w-none">
      <div className="rounded-3xl border border-white/15 bg-white/8 p-4 shadow-2xl backdrop-blur-xl sm:p-6">
        <div className="flex items-center justify-between text-sm text-white/75">
          <span className="font-medium text-white">evening-scene.mp4</span>
          <span className="tabular-nums">24:10</span>
        </div>
        <div className="mt-3 flex gap-1 overflow-hidden rounded-xl">
          {frames.map((frame, index) => (
            <div key={frame} className={`relative aspect-3/4 flex-1 bg-linear-to-br ${frame}`}>
              <div
                className="absolute inset-0 bg-radial-[at_50%_120%] from-white/45 to-transparent to-60%"
                style={{ opacity: 0.4 + index * 0.12 }}
              />
            </div>
          ))}
        </div>
        <div className="mt-3 h-1.5 overflow-hidden rounded-full bg-white/15">
          <div className="h-full w-full rounded-full bg-linear-to-r from-[#7c72ff] to-[#d26bff]" />
        </div>
        <div className="mt-5 grid gap-2.5">
          {outputs.map(({ icon: Icon, name, note }) => (
            <div
              key={name}
              className="flex items-center gap-3 rounded-2xl border border-white/12 bg-black/25 px-3.5 py-3"
            >
              <span className="grid size-10 place-items-center rounded-xl bg-linear-to-br from-[#5a50ee] to-[#9333e0]">
                <Icon className="size-5" />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">{name}</span>
                <span className="block text-sm text-white/65">{note}</span>
              </span>
              <span className="grid size-7 place-items-center rounded-full bg-[#22c07a]/20 text-[#6ee7b0]">
                <Check className="size-4" strokeWidth={3} />
              </span>
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
