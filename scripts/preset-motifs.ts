/**
 * The motif of each preset as SVG inside a 640x400 picture: one simple sign that explains the edit,
 * drawn in white and the two accents of the family. Written by hand; scripts/make-preset-art.ts
 * puts it on the common background.
 */
export const presetMotifs: Readonly<Record<string, string>> = {
  'teaser-15s': `${strip(150, 6, [1, 3, 4])}${clock(320, 262, 15 / 60)}`,
  'teaser-60s': `${strip(150, 9, [0, 2, 3, 5, 7, 8])}${clock(320, 262, 0.999)}`,
  'social-media-gif-pack': `${frame(120, 130, 130, 130)}${frame(270, 145, 180, 101)}${frame(470, 100, 96, 170)}
    ${loop(185, 195, 30)}${loop(360, 195, 26)}${loop(518, 185, 26)}<g fill="#fff">${text(185, 312, 'GIF', 30)}${text(360, 312, 'GIF', 30)}${text(518, 312, 'GIF', 30)}</g>`,
  'still-pack': [0, 1, 2]
    .flatMap((row) =>
      [0, 1, 2, 3].map((column) =>
        picture(116 + column * 104, 86 + row * 78, row === 1 && column === 2),
      ),
    )
    .join(''),
  'dynamic-watermark': `${frame(130, 80, 380, 228)}<path d="M190 268 C 250 150, 330 300, 428 140" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="4" stroke-dasharray="3 13" stroke-linecap="round"/>
    <g fill="#fff"><g opacity=".35">${text(206, 282, '@name', 30)}</g><g opacity=".6">${text(308, 222, '@name', 30)}</g>${text(420, 128, '@name', 34)}</g>`,
  'tube-cut': `<g>${bar(96, 132, 448, '#fff', 0.16)}${bar(116, 132, 70, '#ff8bd2', 1)}${bar(236, 132, 92, '#fff', 0.95)}${bar(378, 132, 70, '#8fd3ff', 1)}</g>
    <g fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="3" stroke-linecap="round" stroke-dasharray="2 10"><path d="M151 190 L242 244"/><path d="M282 190 L318 244"/><path d="M413 190 L394 244"/></g>
    ${bar(204, 250, 76, '#ff8bd2', 1)}${bar(280, 250, 80, '#fff', 0.95)}${bar(360, 250, 76, '#8fd3ff', 1)}${play(320, 276, 15)}`,
  'blur-video-and-audio': `${frame(130, 80, 380, 228)}<g filter="url(#soft)"><circle cx="270" cy="190" r="62" fill="#ff8bd2"/><circle cx="378" cy="212" r="78" fill="#8fd3ff"/></g>${wave(320, 350, 15, 0.35)}`,
  'team-skeet-trailer': `${bar(100, 160, 86, '#ff8bd2', 1)}${bar(198, 160, 244, '#fff', 0.92)}${bar(454, 160, 86, '#8fd3ff', 1)}<g fill="#2b1f6b">${text(143, 194, 'IN', 26)}${text(497, 194, 'OUT', 26)}</g>${play(320, 185, 16)}${wave(320, 278, 25, 0.8)}`,
  'team-skeet-thumbnail-video': `${frame(110, 100, 190, 114)}${frame(340, 100, 190, 114)}${frame(225, 236, 190, 96)}<rect x="340" y="100" width="190" height="114" rx="16" fill="#fff" fill-opacity=".85"/>${play(435, 157, 26)}<path d="M470 186 l40 96 14-38 38-14z" fill="#ff8bd2"/>`,
  'short-trailer-gif': `${frame(170, 110, 300, 178)}${loop(320, 182, 46)}<g fill="#fff">${text(320, 270, 'GIF', 38)}</g>`,
  'uniform-sampling': `${bar(90, 174, 460, '#fff', 0.16)}${[0, 1, 2, 3, 4, 5].map((n) => bar(118 + n * 74, 174, 34, n % 2 === 0 ? '#ff8bd2' : '#8fd3ff', 1)).join('')}
    <g stroke="#fff" stroke-width="3" stroke-opacity=".5">${[0, 1, 2, 3, 4, 5].map((n) => `<path d="M${135 + n * 74} 132 v26"/>`).join('')}</g>`,
  'example-low-resolution-video': `${frame(130, 80, 380, 228)}<g opacity=".85">${[0, 1, 2, 3].flatMap((y) => [0, 1, 2, 3, 4, 5].map((x) => `<rect x="${176 + x * 48}" y="${98 + y * 48}" width="46" height="46" fill="${(x * 7 + y * 5) % 3 === 0 ? '#ff8bd2' : (x + y) % 2 === 0 ? '#8fd3ff' : '#fff'}" fill-opacity="${0.25 + ((x * 3 + y * 5) % 6) / 10}"/>`)).join('')}</g>`,
  'example-high-resolution-video': `${frame(130, 80, 380, 228)}<path d="M150 300 L250 170 L318 250 L380 186 L490 300z" fill="#8fd3ff" fill-opacity=".85"/><circle cx="408" cy="142" r="26" fill="#ff8bd2"/><path d="M200 112 l8 18 18 8 -18 8 -8 18 -8-18 -18-8 18-8z" fill="#fff"/>`,
  'denoised-full-scene': `${frame(130, 80, 380, 228)}<g fill="#fff">${Array.from({ length: 90 }, (_, n) => `<circle cx="${142 + ((n * 47) % 172)}" cy="${92 + ((n * 83) % 204)}" r="${1.5 + (n % 3)}" fill-opacity=".5"/>`).join('')}</g><path d="M320 82 V306" stroke="#fff" stroke-width="3"/><circle cx="414" cy="194" r="62" fill="#ff8bd2"/>`,
  'enhanced-audio-full-scene': wave(320, 200, 33, 1.5),
  'remove-background-music': `${wave(320, 180, 25, 1.1)}<g fill="#fff" fill-opacity=".38"><circle cx="280" cy="318" r="15"/><circle cx="350" cy="308" r="15"/><path d="M290 318 V254 L366 242 V308 h-7 V262 L297 272 V318z"/></g><path d="M244 340 L398 238" stroke="#ff8bd2" stroke-width="8" stroke-linecap="round"/>`,
  'face-blurred-full-scene': `${frame(130, 70, 380, 246)}<path d="M216 314 C220 236 420 236 424 314z" fill="#fff" fill-opacity=".8"/><g filter="url(#soft)"><circle cx="320" cy="168" r="62" fill="#ff8bd2"/><circle cx="338" cy="150" r="34" fill="#8fd3ff"/></g>`,
  'voice-mask-full-scene': `<path d="M92 200 C130 90 170 310 210 200 S 270 130 300 200" fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round"/><path d="M340 200 h22 v-44 h30 v88 h30 v-110 h30 v92 h30 v-26 h60" fill="none" stroke="#ff8bd2" stroke-width="7" stroke-linejoin="round" stroke-linecap="round"/><path d="M320 96 V304" stroke="#fff" stroke-opacity=".5" stroke-width="3" stroke-dasharray="2 10" stroke-linecap="round"/>`,
  'incognito-full-scene': `<path d="M170 176 C230 150 410 150 470 176 C482 250 420 274 372 256 C344 246 332 226 320 226 C308 226 296 246 268 256 C220 274 158 250 170 176z" fill="#fff" fill-opacity=".92"/><g fill="#2b1f6b"><ellipse cx="248" cy="208" rx="34" ry="20"/><ellipse cx="392" cy="208" rx="34" ry="20"/></g>${wave(320, 326, 21, 0.5)}`,
}

function frame(x: number, y: number, width: number, height: number): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="16" fill="#fff" fill-opacity=".12" stroke="#fff" stroke-opacity=".7" stroke-width="3"/>`
}

function bar(x: number, y: number, width: number, colour: string, opacity: number): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="52" rx="9" fill="${colour}" fill-opacity="${opacity}"/>`
}

function play(x: number, y: number, size: number): string {
  return `<path d="M${x - size * 0.7} ${y - size} L${x + size} ${y} L${x - size * 0.7} ${y + size}z" fill="#5a36d6"/>`
}

function text(x: number, y: number, words: string, size: number): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-family="DejaVu Sans, sans-serif" font-weight="700" text-anchor="middle">${words}</text>`
}

/** A film strip across the picture with some of its frames lit. */
function strip(y: number, count: number, lit: readonly number[]): string {
  const width = 520 / count
  const frames = Array.from({ length: count }, (_, index) => {
    const colour = lit.includes(index)
      ? lit.indexOf(index) % 2 === 0
        ? '#ff8bd2'
        : '#8fd3ff'
      : '#fff'
    return `<rect x="${66 + index * width}" y="${y - 62}" width="${width - 10}" height="84" rx="7" fill="${colour}" fill-opacity="${lit.includes(index) ? 1 : 0.16}"/>`
  })
  const holes = Array.from(
    { length: 22 },
    (_, index) =>
      `<rect x="${66 + index * 23.4}" y="${y - 84}" width="11" height="9" rx="2"/><rect x="${66 + index * 23.4}" y="${y + 35}" width="11" height="9" rx="2"/>`,
  )
  return `<rect x="48" y="${y - 96}" width="544" height="152" rx="14" fill="#0d0826" fill-opacity=".45"/>${frames.join('')}<g fill="#fff" fill-opacity=".4">${holes.join('')}</g>`
}

/** A dial filled up to a share of its circle, with the seconds written in it. */
function clock(x: number, y: number, share: number): string {
  const angle = share * 2 * Math.PI
  const end = `${(x + 62 * Math.sin(angle)).toFixed(1)} ${(y + 20 - 62 * Math.cos(angle)).toFixed(1)}`
  return `<circle cx="${x}" cy="${y + 20}" r="62" fill="#140c3a" stroke="#fff" stroke-opacity=".25" stroke-width="9"/>
    <path d="M${x} ${y - 42} A62 62 0 ${share > 0.5 ? 1 : 0} 1 ${end}" fill="none" stroke="#ff8bd2" stroke-width="9" stroke-linecap="round"/><g fill="#fff">${text(x, y + 33, share > 0.5 ? '60s' : '15s', 34)}</g>`
}

function loop(x: number, y: number, r: number): string {
  return `<g fill="none" stroke="#ff8bd2" stroke-width="${r / 5}" stroke-linecap="round"><path d="M${x + r} ${y} A${r} ${r} 0 1 1 ${x + r * 0.5} ${y - r * 0.87}"/></g><path d="M${x + r * 0.25} ${y - r * 1.35} l${r * 0.75} ${r * 0.45} l${-r * 0.7} ${r * 0.55}z" fill="#ff8bd2"/>`
}

function picture(x: number, y: number, best: boolean): string {
  return `<rect x="${x}" y="${y}" width="94" height="68" rx="8" fill="#fff" fill-opacity="${best ? 0.95 : 0.16}"/>
    <path d="M${x + 8} ${y + 60} l26-32 18 20 12-12 22 24z" fill="${best ? '#8fd3ff' : '#fff'}" fill-opacity="${best ? 1 : 0.4}"/><circle cx="${x + 68}" cy="${y + 20}" r="8" fill="#ff8bd2" fill-opacity="${best ? 1 : 0.6}"/>`
}

/** Sound as bars, loud in the middle. */
function wave(x: number, y: number, count: number, scale: number): string {
  return Array.from({ length: count }, (_, index) => {
    const fromMiddle = (index - (count - 1) / 2) / count
    const height = Math.max(
      8,
      (1 - Math.abs(fromMiddle) * 1.6) * (46 + 54 * Math.abs(Math.sin(index * 1.9))) * scale,
    )
    return `<rect x="${x + (index - (count - 1) / 2) * 14 - 4}" y="${y - height / 2}" width="8" height="${height}" rx="4" fill="${index % 3 === 0 ? '#ff8bd2' : '#fff'}" fill-opacity=".9"/>`
  }).join('')
}
