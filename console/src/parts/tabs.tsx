import type { JSX } from 'preact';

interface TabsProps {
  current: string;
  tabs: { name: string; title: string; link: string }[];
}

/** Links to the views of one thing. */
export function Tabs({ current, tabs }: TabsProps): JSX.Element {
  return (
    <nav class="tabs" aria-label="Views">
      {tabs.map(({ name, title, link }) => (
        <a key={name} href={link} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
