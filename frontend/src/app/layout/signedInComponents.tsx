/** Layout components for signed-in users, in one chunk that visitors don't load. */
export { IdleWarning } from '@/domain/session/IdleWarning';
export { AvatarMenu, PersonalNav } from './AvatarMenu';
export { Bell } from './Bell';
