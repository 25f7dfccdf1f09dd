CREATE TABLE `campaign_plans` (
	`workspace_id` text NOT NULL,
	`campaign` text NOT NULL,
	`edition` integer NOT NULL,
	`title` text NOT NULL,
	`rank` text NOT NULL,
	`screen_tags` text NOT NULL,
	`playlist_id` text,
	`layout_id` text,
	`start_time` text NOT NULL,
	`end_time` text NOT NULL,
	`timezone` text NOT NULL,
	`recurrence` text,
	`recurrence_end` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `campaign`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`layout_id`) REFERENCES `layouts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE TABLE `chain_applying` (
	`one` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chain_campaigns` (
	`workspace_id` text NOT NULL,
	`campaign` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`wanted` integer,
	`sha256` text NOT NULL,
	`bytes` integer NOT NULL,
	`doc` text,
	`applied` integer,
	`applied_doc` text,
	`is_whole` integer DEFAULT 0 NOT NULL,
	`refused` text,
	`told_at` integer NOT NULL,
	`armed_at` integer,
	PRIMARY KEY(`workspace_id`, `campaign`),
	FOREIGN KEY (`workspace_id`) REFERENCES `chain_links`(`workspace_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `chain_files` (
	`workspace_id` text NOT NULL,
	`campaign` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`mime` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `campaign`, `sha256`),
	FOREIGN KEY (`workspace_id`) REFERENCES `chain_links`(`workspace_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chain_files_sha` ON `chain_files` (`sha256`);--> statement-breakpoint
CREATE TABLE `chain_records` (
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`campaign` text NOT NULL,
	PRIMARY KEY(`kind`, `id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `chain_links`(`workspace_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chain_records_workspace` ON `chain_records` (`workspace_id`,`campaign`);--> statement-breakpoint
CREATE TABLE `chain_slots` (
	`workspace_id` text NOT NULL,
	`id` text NOT NULL,
	`campaign` text NOT NULL,
	`limits` text NOT NULL,
	`playlist_id` text,
	PRIMARY KEY(`workspace_id`, `id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `chain_slots_playlist` ON `chain_slots` (`playlist_id`);--> statement-breakpoint
CREATE TABLE `hq_blobs` (
	`campaign` text NOT NULL,
	`edition` integer NOT NULL,
	`sha256` text NOT NULL,
	PRIMARY KEY(`campaign`, `edition`, `sha256`),
	FOREIGN KEY (`campaign`) REFERENCES `hq_campaigns`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hq_blobs_sha` ON `hq_blobs` (`sha256`);--> statement-breakpoint
CREATE TABLE `hq_campaigns` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`rank` text NOT NULL,
	`body` text NOT NULL,
	`state` text DEFAULT 'draft' NOT NULL,
	`edition` integer,
	`changed_by` text NOT NULL,
	`asked_by` text,
	`asked_by_id` text,
	`approved_by` text,
	`started_at` integer,
	`stopped_at` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hq_campaigns_workspace` ON `hq_campaigns` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `hq_desired` (
	`store` integer PRIMARY KEY NOT NULL,
	`rev` integer NOT NULL,
	`text` text NOT NULL,
	`signature` text NOT NULL,
	`issued_ms` integer NOT NULL,
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `hq_editions` (
	`campaign` text NOT NULL,
	`edition` integer NOT NULL,
	`sha256` text NOT NULL,
	`doc` text NOT NULL,
	`body` text NOT NULL,
	`bytes` integer NOT NULL,
	`made_at` integer NOT NULL,
	`made_by` text NOT NULL,
	`approved_by` text,
	PRIMARY KEY(`campaign`, `edition`),
	FOREIGN KEY (`campaign`) REFERENCES `hq_campaigns`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hq_editions_sha` ON `hq_editions` (`sha256`);--> statement-breakpoint
CREATE TABLE `hq_readiness` (
	`campaign` text NOT NULL,
	`store` integer NOT NULL,
	`edition` integer NOT NULL,
	`phase` text NOT NULL,
	`applied` integer,
	`bytes_left` integer NOT NULL,
	`rate` integer,
	`screens` integer NOT NULL,
	`ready` integer NOT NULL,
	`why` text DEFAULT '' NOT NULL,
	`told_at` integer NOT NULL,
	PRIMARY KEY(`campaign`, `store`),
	FOREIGN KEY (`campaign`) REFERENCES `hq_campaigns`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hq_readiness_store` ON `hq_readiness` (`store`);--> statement-breakpoint
CREATE TABLE `hq_rollout_stores` (
	`rollout` text NOT NULL,
	`store` integer NOT NULL,
	`wave` integer NOT NULL,
	`state` text NOT NULL,
	`why` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	`told_at` integer,
	`accepted` integer DEFAULT 0 NOT NULL,
	`attempt` integer DEFAULT 1 NOT NULL,
	`before_online` integer,
	`before_incident` integer,
	`lacking_at` integer,
	PRIMARY KEY(`rollout`, `store`),
	FOREIGN KEY (`rollout`) REFERENCES `hq_rollouts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hq_rollout_stores_store` ON `hq_rollout_stores` (`store`);--> statement-breakpoint
CREATE TABLE `hq_rollouts` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`version` text NOT NULL,
	`files` text NOT NULL,
	`waves` text NOT NULL,
	`status` text NOT NULL,
	`wave` integer DEFAULT 0 NOT NULL,
	`wave_at` integer NOT NULL,
	`healthy_minutes` integer NOT NULL,
	`stopped_at_store` integer,
	`visitor` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`stopped_at_store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `hq_rollouts_workspace` ON `hq_rollouts` (`workspace_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `playlist_items` ADD `slot_id` text;--> statement-breakpoint
ALTER TABLE `published_items` ADD `slot_id` text;--> statement-breakpoint
ALTER TABLE `workspace_members` ADD `regions` text;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `desired_rev` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `desired_at` integer;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `fetch_rate` integer;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `fetch_hours` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `lets_update` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `update_order` text;--> statement-breakpoint
CREATE TRIGGER `content_held_update` BEFORE UPDATE ON `content`
WHEN (OLD.filename IS NOT NEW.filename OR OLD.mime_type IS NOT NEW.mime_type OR OLD.kind IS NOT NEW.kind OR OLD.remote_url IS NOT NEW.remote_url OR OLD.sha256 IS NOT NEW.sha256 OR OLD.valid_from IS NOT NEW.valid_from OR OLD.valid_until IS NOT NEW.valid_until) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'content' AND id = OLD.id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'content' AND r.id = OLD.id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `content_held_delete` BEFORE DELETE ON `content`
WHEN EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'content' AND id = OLD.id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'content' AND r.id = OLD.id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `widgets_held_update` BEFORE UPDATE ON `widgets`
WHEN EXISTS (SELECT 1 FROM chain_records WHERE kind = 'widgets' AND id = OLD.id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'widgets' AND r.id = OLD.id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `widgets_held_delete` BEFORE DELETE ON `widgets`
WHEN EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'widgets' AND id = OLD.id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'widgets' AND r.id = OLD.id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `playlists_held_update` BEFORE UPDATE ON `playlists`
WHEN (OLD.name IS NOT NEW.name OR OLD.description IS NOT NEW.description OR OLD.status IS NOT NEW.status OR OLD.published_ms IS NOT NEW.published_ms OR OLD.transition IS NOT NEW.transition OR OLD.published_transition IS NOT NEW.published_transition) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = OLD.id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'playlists' AND r.id = OLD.id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `playlists_held_delete` BEFORE DELETE ON `playlists`
WHEN EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = OLD.id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'playlists' AND r.id = OLD.id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `layouts_held_update` BEFORE UPDATE ON `layouts`
WHEN EXISTS (SELECT 1 FROM chain_records WHERE kind = 'layouts' AND id = OLD.id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'layouts' AND r.id = OLD.id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `layouts_held_delete` BEFORE DELETE ON `layouts`
WHEN EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'layouts' AND id = OLD.id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'layouts' AND r.id = OLD.id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `playlist_items_held_insert` BEFORE INSERT ON `playlist_items`
WHEN EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = NEW.playlist_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'playlists' AND r.id = NEW.playlist_id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `playlist_items_held_update` BEFORE UPDATE ON `playlist_items`
WHEN EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = OLD.playlist_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'playlists' AND r.id = OLD.playlist_id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `playlist_items_held_delete` BEFORE DELETE ON `playlist_items`
WHEN EXISTS (SELECT 1 FROM playlists WHERE id = OLD.playlist_id) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = OLD.playlist_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'playlists' AND r.id = OLD.playlist_id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `published_items_held_insert` BEFORE INSERT ON `published_items`
WHEN EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = NEW.playlist_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'playlists' AND r.id = NEW.playlist_id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `published_items_held_update` BEFORE UPDATE ON `published_items`
WHEN EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = OLD.playlist_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'playlists' AND r.id = OLD.playlist_id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `published_items_held_delete` BEFORE DELETE ON `published_items`
WHEN EXISTS (SELECT 1 FROM playlists WHERE id = OLD.playlist_id) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = OLD.playlist_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'playlists' AND r.id = OLD.playlist_id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `zones_held_insert` BEFORE INSERT ON `zones`
WHEN EXISTS (SELECT 1 FROM chain_records WHERE kind = 'layouts' AND id = NEW.layout_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'layouts' AND r.id = NEW.layout_id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `zones_held_update` BEFORE UPDATE ON `zones`
WHEN EXISTS (SELECT 1 FROM chain_records WHERE kind = 'layouts' AND id = OLD.layout_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'layouts' AND r.id = OLD.layout_id), ''));
END;
--> statement-breakpoint
CREATE TRIGGER `zones_held_delete` BEFORE DELETE ON `zones`
WHEN EXISTS (SELECT 1 FROM layouts WHERE id = OLD.layout_id) AND EXISTS (SELECT 1 FROM chain_records WHERE kind = 'layouts' AND id = OLD.layout_id) AND NOT EXISTS (SELECT 1 FROM chain_applying)
BEGIN
  SELECT RAISE(ABORT, 'vitrine:headquarters:' || coalesce((SELECT c.name FROM chain_records r JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'layouts' AND r.id = OLD.layout_id), ''));
END;
