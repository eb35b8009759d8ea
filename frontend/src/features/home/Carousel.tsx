import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { FEATURED_DOCTORS_QUERY } from '@/api/prefetch';
import { doctorsQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { icon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { PauseIcon } from '@/ui/pageIcons';
import { Skeleton } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import styles from './Carousel.module.css';

const MAX_DOCTORS = FEATURED_DOCTORS_QUERY.pageSize;
const SCROLL_INTERVAL_MS = 2500;
const STEP_PX = 220;

const PlayIcon = icon(<path d="M8 5.5v13l10.5-6.5Z" />);

/** The most experienced doctors, scrolling automatically until hovered or focused. */
export function Carousel() {
  const { t } = useLingui();
  const { data, isPending } = useQuery(doctorsQuery(FEATURED_DOCTORS_QUERY));
  const doctors = [...(data?.doctors ?? [])]
    .sort((a, b) => b.experience - a.experience)
    .slice(0, MAX_DOCTORS);
  const canScroll = doctors.length > 1;

  const { slides, playing, setPlaying } = useAutoScroll(canScroll);
  const stop = () => setPlaying(false);
  const id = useId();

  return (
    <Grid as="section" gap={6} align="center" className={styles.carousel} aria-labelledby={id}>
      <Stack align="start">
        <h2 id={id}>
          <Trans>Our most experienced doctors</Trans>
        </h2>
        {doctors.length > 0 && (
          <p className="muted">
            <Trans>Experienced doctors with openings soon.</Trans>
          </p>
        )}
        {/* Before the slides, so that keyboard users reach it first. */}
        {canScroll && (
          <Button
            variant="secondary"
            icon={playing ? <PauseIcon size={20} /> : <PlayIcon size={20} />}
            onClick={() => setPlaying(!playing)}
          >
            {playing ? (
              <Trans>
                Pause<span className="visually-hidden"> the scrolling list of doctors</span>
              </Trans>
            ) : (
              <Trans>
                Play<span className="visually-hidden"> the scrolling list of doctors</span>
              </Trans>
            )}
          </Button>
        )}
      </Stack>
      {isPending ? (
        <Inline gap={0} align="stretch" wrap={false} className={styles.slides} aria-hidden="true">
          {Array.from({ length: MAX_DOCTORS }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical bars have no other key.
            <Skeleton key={index} className={styles.slide} width={204} height={290} />
          ))}
        </Inline>
      ) : doctors.length === 0 ? (
        <p className={styles.empty}>
          <Trans>No doctors found.</Trans>
        </p>
      ) : (
        <Inline
          ref={slides}
          as="ul"
          gap={0}
          align="stretch"
          wrap={false}
          className={styles.slides}
          aria-label={t`Most experienced doctors`}
          onMouseEnter={stop}
          onFocus={stop}
          onTouchStart={stop}
        >
          {doctors.map((doctor) => (
            <Slide key={doctor._id} doctor={doctor} />
          ))}
        </Inline>
      )}
    </Grid>
  );
}

function Slide({ doctor }: { doctor: Doctor }) {
  const { experience } = doctor;
  return (
    <li className={styles.slide}>
      <Link href={paths.doctor(doctor._id)} className={styles.card}>
        <Avatar
          name={doctor.name}
          src={doctor.profilePicture}
          size={172}
          className={styles.avatar}
        />
        <strong className={styles.name}>{doctorName(doctor.name)}</strong>
        <span>{specializationLabel(doctor.specialization)}</span>
        <span className="muted">
          <Plural
            value={experience}
            _0="In the first year of practice"
            one="# year of experience"
            other="# years of experience"
          />
        </span>
      </Link>
    </li>
  );
}

/** Scroll automatically in a loop. Once stopped, it stays stopped until restarted. */
function useAutoScroll(canScroll: boolean) {
  const slides = useRef<HTMLUListElement>(null);
  // Start only after the doctors have loaded, so that the page can be prerendered without a window.
  const [playing, setPlaying] = useState(
    () => !globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches,
  );

  useEffect(() => {
    if (!canScroll || !playing) return;
    const timer = setInterval(() => {
      const list = slides.current;
      if (!list || document.hidden) return;
      const atEnd = list.scrollLeft + list.clientWidth >= list.scrollWidth - 4;
      list.scrollTo({ left: atEnd ? 0 : list.scrollLeft + STEP_PX, behavior: 'smooth' });
    }, SCROLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [canScroll, playing]);

  return { slides, playing, setPlaying };
}
