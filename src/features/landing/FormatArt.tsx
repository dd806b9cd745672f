import type { ReactNode } from 'react'

export type FormatArtKind = 'teaser' | 'gifs' | 'blur'

/**
 * Abstract pictures of what a format does. Drawn in code, so that they are sharp and small.
 * Decorative.
 */
export function FormatArt({ kind }: { readonly kind: FormatArtKind }) {
  const Drawing = DRAWINGS[kind]
  return (
    <svg aria-hidden viewBox="0 0 400 240" className="block w-full bg-[#131127]">
      <defs>
        <linearGradient id={`${kind}-sky`} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#4f46e5" />
          <stop offset="1" stopColor="#b02bd0" />
        </linearGradient>
        <radialGradient id={`${kind}-sun`}>
          <stop offset="0" stopColor="#fff" stopOpacity="0.9" />
          <stop offset="1" stopColor="#fff" stopOpacity="0" />
        </radialGradient>
      </defs>
      <Drawing />
    </svg>
  )
}

const strip = Array.from({ length: 9 }, (_, index) => index)

function Teaser() {
  return (
    <g>
      {strip.map((index) => {
        const isKept = index >= 3 && index <= 5
        return (
          <rect
            key={index}
            x={14 + index * 42}
            y={isKept ? 62 : 78}
            width={37}
            height={isKept ? 100 : 68}
            rx={7}
            fill={isKept ? 'url(#teaser-sky)' : '#2a2650'}
          />
        )
      })}
      {[3, 4, 5].map((index) => (
        <circle
          key={index}
          cx={32 + index * 42}
          cy={130 - (index - 3) * 14}
          r={26}
          fill="url(#teaser-sun)"
          opacity={0.5}
        />
      ))}
      <rect
        x={136}
        y={56}
        width={131}
        height={112}
        rx={12}
        fill="none"
        stroke="#fff"
        strokeWidth={3}
      />
      <rect x={168} y={184} width={66} height={26} rx={13} fill="#fff" />
      <text x={201} y={202} textAnchor="middle" fontSize={14} fontWeight={700} fill="#3b2fb5">
        0:15
      </text>
    </g>
  )
}

const tiles = [
  { x: 40, y: 34 },
  { x: 150, y: 34 },
  { x: 260, y: 34 },
  { x: 40, y: 128 },
  { x: 150, y: 128 },
  { x: 260, y: 128 },
] as const

function Gifs() {
  return (
    <g>
      {tiles.map((tile, index) => (
        <g key={`${tile.x}-${tile.y}`}>
          <rect
            x={tile.x}
            y={tile.y}
            width={100}
            height={82}
            rx={12}
            fill="url(#gifs-sky)"
            opacity={0.45 + (index % 3) * 0.27}
          />
          <circle
            cx={tile.x + 24 + index * 10}
            cy={tile.y + 52 - (index % 2) * 20}
            r={28}
            fill="url(#gifs-sun)"
            opacity={0.55}
          />
        </g>
      ))}
      <rect x={308} y={186} width={44} height={20} rx={6} fill="#fff" />
      <text x={330} y={200.5} textAnchor="middle" fontSize={12} fontWeight={800} fill="#3b2fb5">
        GIF
      </text>
    </g>
  )
}

const grid = Array.from({ length: 36 }, (_, index) => ({
  column: index % 6,
  row: Math.floor(index / 6),
  key: index,
}))

function Blur() {
  return (
    <g>
      <rect x={40} y={28} width={320} height={184} rx={16} fill="url(#blur-sky)" opacity={0.55} />
      <path d="M120 212c6-52 40-74 80-74s74 22 80 74z" fill="#191536" opacity={0.75} />
      {grid.map(({ column, row, key }) => (
        <rect
          key={key}
          x={158 + column * 14}
          y={54 + row * 15}
          width={14}
          height={15}
          fill="#fff"
          opacity={0.12 + ((column * 5 + row * 7) % 6) * 0.11}
        />
      ))}
      <rect
        x={152}
        y={48}
        width={96}
        height={102}
        rx={14}
        fill="none"
        stroke="#fff"
        strokeWidth={3}
        strokeDasharray="16 12"
        strokeLinecap="round"
      />
    </g>
  )
}

const DRAWINGS: Readonly<Record<FormatArtKind, () => ReactNode>> = {
  teaser: Teaser,
  gifs: Gifs,
  blur: Blur,
}
